//! The inputs of `overdub map`: a list of arguments for each element, from JSON and from files of numbers.
//!
//! - ROWS1 JSON is a list of lists of arguments; in lines, a list of arguments on each line. Strings `"@FILE"` stand for files
//!   as in the arguments of other commands.
//! - ROWS2 a row of a file of numbers has an entry for each parameter, in the order of the parameters, or in that of the header
//!   if its names are theirs. For a function whose only parameter is a list, the row is the list.

use overdub_lower::{Function, Loaded};
use serde_json::Value as Json;

use crate::inputs::{self, Table, usage};
use crate::load;
use crate::report::{Diagnostic, Failed};
use crate::{args, json};

/// The arguments of one element, and where they are.
pub(crate) struct Row {
    pub(crate) args: Vec<Json>,
    /// The line of the file; none if the file is not read by lines.
    pub(crate) line: Option<u64>,
}

/// The function that is mapped, and the arguments of all elements.
pub(crate) struct Rows {
    pub(crate) function: Function,
    pub(crate) rows: Vec<Row>,
}

/// How errors name an element.
pub(crate) fn place(index: usize, line: Option<u64>) -> String {
    match line {
        Some(line) => format!("element {index} (line {line})"),
        None => format!("element {index}"),
    }
}

/// Reads the inputs of a command.
pub(crate) fn read(args: &args::Map, loaded: &Loaded) -> Result<Rows, Failed> {
    let path = args.inputs.strip_prefix('@').unwrap_or(&args.inputs);
    match &*inputs::extension(path) {
        "csv" => of_table(args, loaded, inputs::table(path)?),
        "npy" => {
            let Json::Array(rows) = inputs::npy(path)? else {
                return Err(usage(format!("`{path}` holds one number, and no row for each element")));
            };
            let rows = rows.into_iter().map(|row| match row {
                Json::Array(row) => (None, row),
                number => (None, vec![number]),
            });
            of_numbers(args, loaded, None, rows.collect())
        }
        "jsonl" | "ndjson" => of_lists(args, loaded, lines(&inputs::read(path)?, path)?),
        _ if args.inputs == "-" || args.inputs == "@-" => {
            of_lists(args, loaded, lists(&inputs::standard_input()?, "the standard input")?)
        }
        _ if args.inputs.starts_with('[') => of_lists(args, loaded, lists(&args.inputs, "`--inputs`")?),
        _ => of_lists(args, loaded, lists(&inputs::read(path)?, &format!("`{path}`"))?),
    }
}

/// The function for the arguments of the first element.
fn function(args: &args::Map, loaded: &Loaded, first: &[Json]) -> Result<Function, Failed> {
    match &args.types {
        Some(types) => load::function_with(loaded, &args.which.function, types),
        None => {
            let shapes: Vec<_> = first.iter().map(json::shape).collect();
            load::function(loaded, &args.which.function, &shapes)
        }
    }
}

fn of_lists(args: &args::Map, loaded: &Loaded, rows: Vec<(Option<u64>, Json)>) -> Result<Rows, Failed> {
    let rows = rows.into_iter().enumerate().map(|(index, (line, row))| {
        let within = |failed: Failed| failed.within(&place(index, line));
        let Json::Array(parts) = row else {
            let message =
                format!("expected a list with one entry for each parameter, found `{}`", short(&row));
            let help = "the inputs are a list of lists of arguments, such as `[[1.0, 2.0], [3.0, 4.0]]`";
            return Err(within(Failed::usage(Diagnostic::new(message).with_help(help))));
        };
        let parts = parts.into_iter().map(inputs::part).collect::<Result<Vec<_>, _>>();
        Ok(Row { args: parts.map_err(within)?, line })
    });
    let rows = rows.collect::<Result<Vec<_>, Failed>>()?;
    let function = function(args, loaded, rows.first().map_or(&[], |row| &row.args))?;
    Ok(Rows { function, rows })
}

fn short(json: &Json) -> String {
    let text = json.to_string();
    match text.chars().count() {
        0..=40 => text,
        _ => text.chars().take(37).chain("...".chars()).collect(),
    }
}

/// A list of lists; or, since lines can come through a pipe, a list on each line.
fn lists(text: &str, source: &str) -> Result<Vec<(Option<u64>, Json)>, Failed> {
    match serde_json::from_str(text) {
        Ok(Json::Array(rows)) => Ok(rows.into_iter().map(|row| (None, row)).collect()),
        Ok(other) => {
            let message = format!("{source} is no list of lists of arguments, but `{}`", short(&other));
            let help = "write a list for each element in a list, such as `[[1.0, 2.0], [3.0, 4.0]]`";
            Err(Failed::usage(Diagnostic::new(message).with_help(help)))
        }
        Err(error) => match lines(text, source) {
            Ok(rows) if rows.len() > 1 => Ok(rows),
            _ => Err(usage(format!("{source} is not JSON: {error}"))),
        },
    }
}

/// A list on each line that is not empty.
fn lines(text: &str, source: &str) -> Result<Vec<(Option<u64>, Json)>, Failed> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let rows = lines.map(|(number, line)| match serde_json::from_str(line) {
        Ok(row) => Ok((Some(number), row)),
        Err(error) => Err(usage(format!("{source}, line {number}: not JSON: {error}"))),
    });
    rows.collect()
}

fn of_table(args: &args::Map, loaded: &Loaded, table: Table) -> Result<Rows, Failed> {
    let rows = table.rows.into_iter().map(|(line, row)| (Some(line), row)).collect();
    of_numbers(args, loaded, table.header, rows)
}

/// The rows of a file of numbers (ROWS2).
fn of_numbers(
    args: &args::Map,
    loaded: &Loaded,
    header: Option<Vec<String>>,
    rows: Vec<(Option<u64>, Vec<Json>)>,
) -> Result<Rows, Failed> {
    let list = |row: &[Json]| vec![Json::Array(row.to_vec())];
    let first = rows.first().map_or(&[][..], |(_, row)| row);
    let params = load::param_names(loaded, &args.which.function)?;
    if params.len() == 1 {
        let function = function(args, loaded, &list(first))?;
        let takes_list = json::read(&Json::Array(first.to_vec()), function.params[0].ir_ty, "").is_ok();
        let is_named = header.as_ref().is_some_and(|names| names.len() == 1 && names[0] == params[0]);
        if takes_list && (!is_named || first.len() == 1) {
            let rows = rows.into_iter().map(|(line, row)| Row { args: vec![Json::Array(row)], line });
            return Ok(Rows { function, rows: rows.collect() });
        }
    }
    let order = header.map(|names| order(&names, &params)).transpose()?;
    let rows = rows.into_iter().map(|(line, row)| {
        let args = match &order {
            Some(order) => order.iter().map(|at| row.get(*at).cloned().unwrap_or(Json::Null)).collect(),
            None => row,
        };
        Row { args, line }
    });
    let rows: Vec<Row> = rows.collect();
    let function = function(args, loaded, rows.first().map_or(&[], |row| &row.args))?;
    Ok(Rows { function, rows })
}

/// The column of each parameter.
fn order(names: &[String], params: &[String]) -> Result<Vec<usize>, Failed> {
    let quoted = |names: &[String]| {
        let all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        all.join(", ")
    };
    let refused = |message: String| {
        let help = format!("the columns are those of the parameters, {}, in any order", quoted(params));
        Failed::usage(Diagnostic::new(message).with_help(help))
    };
    if let Some(name) = names.iter().find(|name| !params.contains(name)) {
        return Err(refused(format!("the column `{name}` is that of no parameter")));
    }
    let column = |param: &String| {
        let mut found = (0..names.len()).filter(|at| names[*at] == *param);
        match (found.next(), found.next()) {
            (Some(at), None) => Ok(at),
            (None, _) => Err(refused(format!("there is no column for the parameter `{param}`"))),
            (Some(_), Some(_)) => Err(refused(format!("there are two columns for the parameter `{param}`"))),
        }
    };
    params.iter().map(column).collect()
}
