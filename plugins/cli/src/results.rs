//! The results of `overdub map` as text, JSON, and files of numbers.

use std::io::Write;
use std::path::Path;

use ndarray::{Array1, Array2};
use ndarray_npy::WriteNpyExt;
use serde_json::{Map, Value as Json, json};

use crate::args;
use crate::export::write_whole;
use crate::inputs::extension;
use crate::map::Element;
use crate::report::{Diagnostic, Failed};

/// Writes results where the command line says.
pub(crate) fn write(args: &args::Map, elements: &[Element], out: &mut dyn Write) -> Result<(), Failed> {
    let Some(path) = &args.out else {
        match args.json {
            true => writeln!(out, "{}", all(elements))?,
            false => out.write_all(text(elements).as_bytes())?,
        }
        return Ok(());
    };
    let bytes = match &*extension(&path.to_string_lossy()) {
        "json" => format!("{}\n", all(elements)).into_bytes(),
        "jsonl" | "ndjson" => {
            elements.iter().map(|element| format!("{}\n", object(element))).collect::<String>().into_bytes()
        }
        "csv" => csv(elements, path)?,
        "npy" => npy(elements, path)?,
        _ if args.json => format!("{}\n", all(elements)).into_bytes(),
        _ => text(elements).into_bytes(),
    };
    write_whole(path, bytes)?;
    if args.json {
        let failed = elements.iter().filter(|element| element.is_err()).count();
        writeln!(out, "{}", json!({ "elements": elements.len(), "failed": failed }))?;
    }
    Ok(())
}

/// All results as one object.
fn all(elements: &[Element]) -> Json {
    json!({ "results": elements.iter().map(object).collect::<Vec<_>>() })
}

/// A result as an object: that of the value, or the error and its place.
fn object(element: &Element) -> Json {
    match element {
        Ok(result) => result.clone(),
        Err(failed) => {
            let mut error = Map::from_iter([("error".to_owned(), Json::from(failed.message()))]);
            if failed.span().is_known() {
                error.insert("at".to_owned(), failed.span().to_string().into());
            }
            Json::Object(error)
        }
    }
}

/// A line for each element.
fn text(elements: &[Element]) -> String {
    let line = |element: &Element| match element {
        Ok(result) => {
            let gradient = result.get("gradient").map(|gradient| format!("  {gradient}")).unwrap_or_default();
            let mutated = result.get("mutated").and_then(Json::as_object).into_iter().flatten();
            let mutated: String = mutated.map(|(name, value)| format!("  {name} = {value}")).collect();
            format!("{}{gradient}{mutated}\n", result["value"])
        }
        Err(failed) if failed.span().is_known() => {
            format!("error: {} at {}\n", failed.message(), failed.span())
        }
        Err(failed) => format!("error: {}\n", failed.message()),
    };
    elements.iter().map(line).collect()
}

/// The numbers of a result with their places in it, `value`, `gradient[0][2]`; null, which stands for what has no derivative,
/// is left out.
fn leaves(json: &Json, place: String, found: &mut Vec<(String, String)>) {
    match json {
        Json::Null => {}
        Json::Array(parts) => {
            parts.iter().enumerate().for_each(|(at, part)| leaves(part, format!("{place}[{at}]"), found));
        }
        Json::Object(map) => map.iter().for_each(|(name, part)| {
            let inner = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
            leaves(part, inner, found);
        }),
        Json::String(text) => found.push((place, text.clone())),
        scalar => found.push((place, scalar.to_string())),
    }
}

/// The columns of a table, which are the parts of the first result, and its rows; none for elements that failed.
type Columns = (Vec<String>, Vec<Option<Vec<String>>>);

fn columns(elements: &[Element], path: &Path) -> Result<Columns, Failed> {
    let (mut names, mut rows) = (None, Vec::with_capacity(elements.len()));
    for (index, element) in elements.iter().enumerate() {
        let Ok(result) = element else {
            rows.push(None);
            continue;
        };
        let mut found = Vec::new();
        leaves(result, String::new(), &mut found);
        let (places, row): (Vec<String>, Vec<String>) = found.into_iter().unzip();
        if *names.get_or_insert_with(|| places.clone()) != places {
            let message =
                format!("element {index} has other parts than those before it, so that they are no table");
            return Err(refused(path, message));
        }
        rows.push(Some(row));
    }
    Ok((names.unwrap_or_default(), rows))
}

fn refused(path: &Path, message: String) -> Failed {
    let message = format!("cannot write `{}`: {message}", path.display());
    Failed::program(Diagnostic::new(message).with_help("write a `.jsonl` file, which holds all results"))
}

/// A row for each element; the column `error` is there if an element failed.
fn csv(elements: &[Element], path: &Path) -> Result<Vec<u8>, Failed> {
    let (names, rows) = columns(elements, path)?;
    let has_errors = rows.iter().any(Option::is_none);
    let failed = |error: &dyn std::fmt::Display| refused(path, error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let error = has_errors.then_some("error");
    writer.write_record(names.iter().map(String::as_str).chain(error)).map_err(|error| failed(&error))?;
    for (row, element) in rows.iter().zip(elements) {
        let message = element.as_ref().err().map_or("", Failed::message);
        let error = has_errors.then_some(message);
        let written = match row {
            Some(row) => writer.write_record(row.iter().map(String::as_str).chain(error)),
            None => writer.write_record(names.iter().map(|_| "").chain(error)),
        };
        written.map_err(|error| failed(&error))?;
    }
    writer.into_inner().map_err(|error| failed(&error))
}

/// An array of floats: a number for each element, or a row.
fn npy(elements: &[Element], path: &Path) -> Result<Vec<u8>, Failed> {
    let (names, rows) = columns(elements, path)?;
    let mut floats = Vec::with_capacity(rows.len() * names.len());
    for (index, row) in rows.iter().enumerate() {
        let Some(row) = row else {
            return Err(refused(path, format!("element {index} failed, and the file holds numbers only")));
        };
        for (text, name) in row.iter().zip(&names) {
            let float: Option<f64> = text.parse().ok();
            let is_exact = |float: f64| match text.parse::<i128>() {
                // Integers of up to 2^53 are floats.
                Ok(_) => float.abs() <= 9_007_199_254_740_992.0,
                Err(_) => true,
            };
            let Some(float) = float.filter(|float| is_exact(*float)) else {
                return Err(refused(
                    path,
                    format!("`{name}` of element {index} is `{text}`, which is no float"),
                ));
            };
            floats.push(float);
        }
    }
    let failed = |error: &dyn std::fmt::Display| refused(path, error.to_string());
    let mut bytes = Vec::new();
    match names.len() {
        1 => Array1::from(floats).write_npy(&mut bytes).map_err(|error| failed(&error))?,
        width => Array2::from_shape_vec((rows.len(), width), floats)
            .map_err(|error| failed(&error))?
            .write_npy(&mut bytes)
            .map_err(|error| failed(&error))?,
    }
    Ok(bytes)
}
