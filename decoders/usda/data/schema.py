# Prints schema.txt: the schemas that usd-core ships, with the names and types of their attributes.
#
#     python3 schema.py > schema.txt
#
# usd-core is under the Tomorrow Open Source Technology License 1.0; names and types are facts about it.
from pxr import Plug, Tf, Usd

for plugin in Plug.Registry().GetAllPlugins():
    plugin.Load()
registry = Usd.SchemaRegistry()
print("# Made by schema.py from usd-core %d.%02d: schema, then name=type of each attribute." % Usd.GetVersion()[1:])
schemas = {}
for of in Tf.Type(Usd.SchemaBase).GetAllDerivedTypes():
    name = registry.GetSchemaTypeName(of)
    definition = name and (registry.FindConcretePrimDefinition(name) or registry.FindAppliedAPIPrimDefinition(name))
    if not definition:
        continue
    attributes = {}
    for prop in definition.GetPropertyNames():
        spec = definition.GetSchemaAttributeSpec(prop)
        if spec and "__INSTANCE_NAME__" not in prop:
            attributes[prop] = str(spec.typeName)
    schemas[name] = attributes
for name in sorted(schemas):
    print(" ".join([name] + ["%s=%s" % a for a in sorted(schemas[name].items())]))
