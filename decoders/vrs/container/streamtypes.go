package container

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Chapter 10: stream type ids.

var typeNames = map[int32]string{
	1:     "VRS Index (internal)",
	2:     "VRS Description (internal)",
	100:   "Generic Image Stream",
	101:   "Generic Audio Stream",
	102:   "Generic Annotation Stream",
	103:   "Archive Stream",
	200:   "Forward Camera Class",
	201:   "Upward Camera Class",
	202:   "Downward Camera Class",
	203:   "Backward Camera Class",
	204:   "Sideward Camera Class",
	205:   "Outward Camera Class",
	206:   "Inward Camera Class",
	207:   "Inside Out Camera Class",
	208:   "Outside In Camera Class",
	209:   "Depth Camera Class",
	210:   "IR Camera Class",
	211:   "Eye Camera Class",
	212:   "Face Camera Class",
	213:   "Mouth Camera Class",
	214:   "RGB Camera Class",
	215:   "Display Observing Camera Class",
	216:   "World Observing Camera Class",
	217:   "Disparity Camera Class",
	230:   "Mono Audio Class",
	231:   "Stereo Audio Class",
	232:   "Ambient Audio Class",
	240:   "Sensor Data Class",
	241:   "IMU Data Class",
	242:   "Accelerometer Data Class",
	243:   "Magnetometer Data Class",
	244:   "Gyroscope Data Class",
	245:   "Lidar Data Class",
	246:   "Temperature Data Class",
	247:   "Barometer Data Class",
	248:   "Photoplethysmogram (PPG) Data Class",
	249:   "Electromyography (EMG) Data Class",
	250:   "Capacitive Touch Data Class",
	251:   "Heart Rate Data Class",
	252:   "Calories Data Class",
	253:   "Current Sense Amplifier (CSA) Data Class",
	254:   "Radar Data Class",
	255:   "Step Count Data Class",
	256:   "Force Data Class",
	257:   "Distance Data Class",
	258:   "Active Minutes Data Class",
	259:   "Heading Data Class",
	260:   "Calibration Data Class",
	261:   "Alignment Data Class",
	262:   "Setup Data Class",
	263:   "Diagnostic Data Class",
	264:   "Performance Data Class",
	265:   "Illumination Data Class",
	266:   "Display Data Class",
	280:   "Sync Data Class",
	281:   "GPS Data Class",
	282:   "Wifi Beacon Data Class",
	283:   "Bluetooth Beacon Data Class",
	284:   "USB Data Class",
	285:   "Time Domain Mapping Class",
	286:   "Attention Data Class",
	287:   "GMS Data Class",
	300:   "Input Data Class",
	301:   "Text Input Data Class",
	302:   "Mouse Data Class",
	303:   "Touch Input Data Class",
	304:   "Gesture Input Data Class",
	305:   "Controller Data Class",
	320:   "Event Data Class",
	321:   "Command Data Class",
	322:   "Instruction Data Class",
	323:   "Script Data Class",
	324:   "Control Data Class",
	325:   "Pipeline Event Data Class",
	326:   "TTS Event Data Class",
	340:   "Ground Truth Data Class",
	341:   "Ground Truth IMU Data Class",
	342:   "Ground Truth Alignment Data Class",
	343:   "Ground Truth Position Data Class",
	344:   "Ground Truth Orientation Data Class",
	345:   "Ground Truth Depth Data Class",
	370:   "Result Data Class",
	371:   "Pose Data Class",
	372:   "Motion Data Class",
	373:   "Gaze Data Class",
	374:   "Mesh Data Class",
	375:   "Mocap Data Class",
	376:   "Point Cloud Data Class",
	377:   "Map Data Class",
	378:   "Sensor Variance/Bias Data Class",
	379:   "Anchor Data Class",
	380:   "Segmentation Data Class",
	381:   "Text Data Class",
	382:   "Electromyography (EMG) Gesture Data Class",
	383:   "Speech Data Class",
	384:   "Quaternion Data Class",
	385:   "Ultrasonic Data Class",
	386:   "Detection 2D Data Class",
	400:   "Annotation Data Class",
	500:   "Ambient Light Sensor (ALS) Data Class",
	501:   "Elevation Data Class",
	502:   "Battery Data Class",
	503:   "Light Flicker Detection Data Class",
	504:   "Proximity Sensor Data Class",
	505:   "Button State Data Class",
	998:   "Sample Class",
	999:   "Unit Test Class",
	1201:  "Camera Data (SLAM)",
	1202:  "IMU Data (SLAM)",
	1203:  "Magnetometer Data (SLAM)",
	65500: "Unit Test 1",
	65501: "Unit Test 2",
	65502: "Sample Device",
	65535: "Undefined",
}

// knownTypes returns the numbers of the stream types that have a public name, in order.
func knownTypes() []int64 {
	var list []int64
	for _, id := range slices.Sorted(maps.Keys(typeNames)) {
		list = append(list, int64(id))
	}
	return list
}

// TypeName is the public name of a stream type; "" where it has none.
func TypeName(id int32) string { return typeNames[id] }

// ShownType is the name of a stream type for a person.
func ShownType(id int32) string {
	if name := typeNames[id]; name != "" {
		return name
	}
	return fmt.Sprintf("<Unknown device type '%d'>", id)
}

// Names of VRS tags (chapter 6).
const (
	OriginalName = "VRS_Original_Recordable_Name"
	FlavorTag    = "VRS_Recordable_Flavor"
	serialTag    = "VRS_Serial_Number"
)

// leastNumberedName is the least length of a name that may end in a number to strip.
const leastNumberedName = 4

// PlainName strips the " #<digits>" at the end of names in old files (chapter 4).
func PlainName(name string) string {
	digits := strings.TrimRight(name, "0123456789")
	if len(name) < leastNumberedName || len(digits) == len(name) || !strings.HasSuffix(digits, " #") {
		return name
	}
	return strings.TrimSuffix(digits, " #")
}
