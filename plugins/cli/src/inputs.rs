//! Arguments on the command line: JSON text, standard input, and files of numbers.
//!
//! - INPUT1 one text is a JSON array of all arguments; what is no array is the only argument. `-` and `@-` read it from the standard input, `@FILE` from a file; of a `.npy`
//!   or `.csv` file the content is the only argument.
//! - INPUT2 in the array, a string `"@FILE"` whose file is called `.npy`, `.csv` or `.json` stands for the content of the
//!   file; `"@@…"` is the string `"@…"`.
//! - INPUT3 an array of a `.npy` file is a list of lists, one level for each axis; a `.csv` file is a list of rows, or a list
//!   of numbers if it has one column. A first row without any number is a header.
//! - INPUT4 of several texts, each is one argument.

use std::io::Read;
use std::path::Path;

use ndarray::{ArrayD, ArrayViewD, Axis};
use ndarray_npy::{ReadNpyExt, ReadableElement, ViewElement, ViewNpyError, ViewNpyExt};
use serde_json::{Number, Value as Json};

use crate::codes;
use crate::report::{Diagnostic, Failed};

/// The arguments that the texts on a command line specify (INPUT1, INPUT4).
pub(crate) fn arguments(texts: &[String]) -> Result<Vec<Json>, Failed> {
    match texts {
        [] => Ok(Vec::new()),
        [one] => list(one),
        several => several.iter().map(|text| part(value("an argument", text)?)).collect(),
    }
}

/// The arguments that one text specifies: a list of them, or the only one.
pub(crate) fn list(text: &str) -> Result<Vec<Json>, Failed> {
    let parsed = match text.strip_prefix('@') {
        _ if text == "-" || text == "@-" => parsed(&standard_input()?)?,
        Some(path) => match file(path) {
            Some(content) => return Ok(vec![content?]),
            None => parsed(&read(path)?)?,
        },
        None => parsed(text)?,
    };
    match parsed {
        Json::Array(parts) => parts.into_iter().map(part).collect(),
        one => Ok(vec![part(one)?]),
    }
}

/// A JSON value on the command line, or in the file after `@`, or on the standard input; errors call it `what`.
pub(crate) fn value(what: &str, text: &str) -> Result<Json, Failed> {
    let parsed = |text: &str| {
        serde_json::from_str(text).map_err(|error| {
            Failed::usage(Diagnostic::new(format!("{what} is not JSON: {error}")).coded(codes::NO_JSON))
        })
    };
    match text.strip_prefix('@') {
        _ if text == "-" || text == "@-" => parsed(&standard_input()?),
        Some(path) => file(path).unwrap_or_else(|| parsed(&read(path)?)),
        None => parsed(text),
    }
}

pub(crate) fn usage(message: String) -> Failed {
    Failed::usage(Diagnostic::new(message).coded(codes::FILE))
}

fn parsed(text: &str) -> Result<Json, Failed> {
    serde_json::from_str(text).map_err(|error| {
        let help = "write them one by one, each in quotes for the shell: `1.0 '[2.0, 3.0]'`; or as one array: \
                    `'[1.0, [2.0, 3.0]]'`";
        let not_json = Diagnostic::new(format!("the arguments are not JSON: {error}"));
        Failed::usage(not_json.coded(codes::NO_JSON).with_help(help))
    })
}

pub(crate) fn read(path: &str) -> Result<String, Failed> {
    std::fs::read_to_string(path).map_err(|error| usage(format!("cannot read `{path}`: {error}")))
}

pub(crate) fn standard_input() -> Result<String, Failed> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| usage(format!("cannot read the standard input: {error}")))?;
    Ok(text)
}

/// An argument, with a file of numbers in place of its name (INPUT2).
pub(crate) fn part(json: Json) -> Result<Json, Failed> {
    let Json::String(text) = &json else { return Ok(json) };
    let Some(path) = text.strip_prefix('@') else { return Ok(json) };
    if path.starts_with('@') {
        return Ok(Json::String(path.to_owned()));
    }
    if extension(path) == "json" {
        return parsed(&read(path)?);
    }
    file(path).unwrap_or(Ok(json))
}

pub(crate) fn extension(path: &str) -> String {
    Path::new(path).extension().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// The content of a file of numbers; `None` if its name is not that of one.
fn file(path: &str) -> Option<Result<Json, Failed>> {
    match &*extension(path) {
        "npy" => Some(npy(path)),
        "csv" => Some(csv(path)),
        _ => None,
    }
}

/// Reads the array of a file if its elements are of one type; `None` if they are not.
type Reader = fn(&[u8]) -> Result<Option<Json>, String>;

/// The array in a file of NumPy (INPUT3), of any of its types of numbers.
pub(crate) fn npy(path: &str) -> Result<Json, Failed> {
    let readers: &[Reader] = &[
        |bytes| nested::<f64>(bytes, float),
        |bytes| nested::<f32>(bytes, |x| float(f64::from(x))),
        |bytes| nested::<i64>(bytes, Json::from),
        |bytes| nested::<i32>(bytes, Json::from),
        |bytes| nested::<i16>(bytes, Json::from),
        |bytes| nested::<i8>(bytes, Json::from),
        |bytes| nested::<u64>(bytes, Json::from),
        |bytes| nested::<u32>(bytes, Json::from),
        |bytes| nested::<u16>(bytes, Json::from),
        |bytes| nested::<u8>(bytes, Json::from),
        |bytes| nested::<bool>(bytes, Json::from),
    ];
    let failed = |error: String| usage(format!("cannot read `{path}`: {error}"));
    let bytes = std::fs::read(path).map_err(|error| failed(error.to_string()))?;
    for reader in readers {
        if let Some(json) = reader(&bytes).map_err(failed)? {
            return Ok(json);
        }
    }
    Err(usage(format!(
        "`{path}` holds no numbers of a type that arguments have, in the byte order of this machine"
    )))
}

/// A float as arguments write it.
fn float(x: f64) -> Json {
    match Number::from_f64(x) {
        Some(number) => Json::Number(number),
        None if x.is_nan() => Json::from("NaN"),
        None => Json::from(if x > 0.0 { "inf" } else { "-inf" }),
    }
}

fn nested<T>(bytes: &[u8], json: fn(T) -> Json) -> Result<Option<Json>, String>
where
    T: ReadableElement + ViewElement + Copy,
{
    fn lists<T: Copy>(array: &ArrayViewD<'_, T>, json: fn(T) -> Json) -> Json {
        match array.ndim() {
            0 => array.first().map_or(Json::Null, |x| json(*x)),
            1 => array.iter().map(|x| json(*x)).collect(),
            _ => array.axis_iter(Axis(0)).map(|row| lists(&row, json)).collect(),
        }
    }
    // Lists without elements take no bytes of the file, so their number is not limited by it.
    let listed = |view: &ArrayViewD<'_, T>| match view.is_empty() && view.ndim() > 1 {
        true => Err(format!("it has no elements, but the shape {:?}", view.shape())),
        false => Ok(lists(view, json)),
    };
    // Viewing compares the shape with the length of the file before anything of that size is allocated.
    match ArrayViewD::view_npy(bytes) {
        Ok(view) => listed(&view).map(Some),
        Err(ViewNpyError::WrongDescriptor(_)) => Ok(None),
        Err(ViewNpyError::MisalignedData) => {
            let array = ArrayD::read_npy(bytes).map_err(|error| error.to_string())?;
            listed(&array.view()).map(Some)
        }
        Err(error) => Err(error.to_string()),
    }
}

/// A file of comma-separated numbers: the names of its columns, if its first row is a header, and its rows, each with its
/// line.
pub(crate) struct Table {
    pub(crate) header: Option<Vec<String>>,
    pub(crate) rows: Vec<(u64, Vec<Json>)>,
}

/// The rows of a file of comma-separated numbers (INPUT3).
pub(crate) fn table(path: &str) -> Result<Table, Failed> {
    let failed = |error: csv::Error| usage(format!("cannot read `{path}`: {error}"));
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_path(path)
        .map_err(failed)?;
    let mut table = Table { header: None, rows: Vec::new() };
    for (at, record) in reader.records().enumerate() {
        let record = record.map_err(failed)?;
        let line = record.position().map_or(0, |position| position.line());
        match record.iter().map(cell).collect::<Option<Vec<Json>>>() {
            Some(row) => table.rows.push((line, row)),
            None if at == 0 && record.iter().all(|text| cell(text).is_none()) => {
                table.header = Some(record.iter().map(str::to_owned).collect());
            }
            None => {
                let text = record.iter().find(|text| cell(text).is_none()).unwrap_or_default();
                return Err(usage(format!("`{path}`, line {line}: `{text}` is not a number")));
            }
        }
    }
    Ok(table)
}

/// The rows of a file of comma-separated numbers, or its numbers if it has one column.
fn csv(path: &str) -> Result<Json, Failed> {
    let rows = table(path)?.rows;
    let is_one_column = rows.iter().all(|(_, row)| row.len() == 1);
    Ok(match is_one_column {
        true => rows.into_iter().flat_map(|(_, row)| row).collect(),
        false => rows.into_iter().map(|(_, row)| Json::Array(row)).collect(),
    })
}

/// A number as it is written: integers stay integers.
fn cell(text: &str) -> Option<Json> {
    let number: f64 = text.parse().ok()?;
    match serde_json::from_str::<Json>(text) {
        Ok(json @ Json::Number(_)) => Some(json),
        _ => Some(float(number)),
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{arr1, arr2};
    use ndarray_npy::write_npy;
    use serde_json::json;

    use super::*;
    use crate::report::Color;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("overdub-inputs-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder for temporary files is writable");
        folder
    }

    fn message(text: &str) -> String {
        list(text).expect_err("it is refused").render(Color::Never)
    }

    #[test]
    fn files_of_numbers_are_arguments() {
        let folder = folder("numbers");
        let path = |name: &str| folder.join(name).display().to_string();
        write_npy(path("x.npy"), &arr1(&[1.5, f64::NAN])).expect("it can be written");
        write_npy(path("m.npy"), &arr2(&[[1_i32, 2], [3, 4]])).expect("it can be written");
        std::fs::write(path("t.csv"), "a,b\n1,2.5\n# none\n-3,4000\n").expect("it can be written");
        std::fs::write(path("c.csv"), "1\n2\n").expect("it can be written");
        std::fs::write(path("o.json"), r#"{"k": 2}"#).expect("it can be written");
        let line = format!(
            r#"["@{}", "@{}", "@{}", "@{}", "@{}", "@@name.csv", "@name", 7]"#,
            path("x.npy"),
            path("m.npy"),
            path("t.csv"),
            path("c.csv"),
            path("o.json")
        );
        let read = list(&line).unwrap_or_else(|failed| panic!("{}", failed.render(Color::Never)));
        let expected = json!([
            [1.5, "NaN"], [[1, 2], [3, 4]], [[1, 2.5], [-3, 4000]], [1, 2], {"k": 2}, "@name.csv", "@name", 7
        ]);
        assert_eq!(Json::from(read).to_string(), expected.to_string());
        let alone = list(&format!("@{}", path("c.csv"))).expect("it is one argument");
        assert_eq!(Json::from(alone), json!([[1, 2]]));
    }

    #[test]
    fn several_texts_are_an_argument_each() {
        let of = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
            Json::from(arguments(&texts).unwrap_or_else(|failed| panic!("{}", failed.render(Color::Never))))
        };
        assert_eq!(of(&[]), json!([]));
        assert_eq!(of(&["-2.5"]), json!([-2.5]));
        assert_eq!(of(&["[1, 2]"]), json!([1, 2]));
        assert_eq!(of(&["[1, 2]", "3", r#""@@a""#, "null"]), json!([[1, 2], 3, "@a", null]));
        let refused = arguments(&["1".to_owned(), "x".to_owned()]).expect_err("it is no JSON");
        assert!(refused.render(Color::Never).contains("an argument is not JSON"));
    }

    #[test]
    fn what_is_no_list_of_arguments_is_refused_with_advice() {
        assert!(message("[1.0").contains("in quotes for the shell"));
        let folder = folder("refused");
        let path = folder.join("bad.csv").display().to_string();
        std::fs::write(&path, "1,2\n3,x\n").expect("it can be written");
        assert!(message(&format!("[\"@{path}\"]")).contains("line 2: `x` is not a number"));
        std::fs::write(&path, "1,2y\n3,4\n").expect("it can be written");
        assert!(message(&format!("[\"@{path}\"]")).contains("line 1: `2y` is not a number"));
        assert!(message("[\"@none.npy\"]").contains("cannot read `none.npy`"));
        std::fs::write(folder.join("bad.npy"), "no numbers").expect("it can be written");
        let path = folder.join("bad.npy").display().to_string();
        assert!(message(&format!("@{path}")).contains("cannot read"));
        let shape = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }\n";
        let header =
            [b"\x93NUMPY\x01\x00", &(shape.len() as u16).to_le_bytes()[..], shape.as_bytes()].concat();
        std::fs::write(&path, header).expect("it can be written");
        assert!(message(&format!("@{path}")).contains("cannot read"));
    }
}
