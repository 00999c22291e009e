//! Reads layers with the openusd crate, one by one: ask_usd.py says how.

use std::io::{self, BufRead, Write};
use std::panic;

use openusd::{sdf::AbstractData, usda, usdc, usdz};

type Failure = Box<dyn std::error::Error>;

fn open(name: &str) -> Result<Box<dyn AbstractData>, Failure> {
    if name.ends_with(".usdz") {
        return Ok(usdz::Archive::open(name)?.read_first_layer()?);
    }
    if name.ends_with(".usdc") {
        return Ok(usdc::read_file(name)?);
    }
    Ok(Box::new(usda::read_file(name)?))
}

fn read(name: &str) -> Result<String, Failure> {
    let data = open(name)?;
    for path in data.spec_paths() {
        for field in data.list_fields(&path).unwrap_or_default() {
            data.try_field(&path, &field)?;
        }
    }
    Ok(usda::TextWriter::write_to_string(data.as_ref()).unwrap_or_default())
}

fn main() -> io::Result<()> {
    panic::set_hook(Box::new(|_| {}));
    let mut out = io::stdout().lock();
    writeln!(out, "{:?}", "0.6.0")?;
    for name in io::stdin().lock().lines() {
        let name = name?;
        let text = panic::catch_unwind(|| read(&name).ok()).ok().flatten();
        let said = serde_json::json!({"refused": text.is_none(), "text": text.unwrap_or_default()});
        writeln!(out, "{said}")?;
        out.flush()?;
    }
    Ok(())
}
