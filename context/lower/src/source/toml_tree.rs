//! Files in TOML as trees that own what they hold, of the values that manifests are read for.

use std::collections::BTreeMap;

use toml_spanner::{Arena, Item, Value as Parsed};

/// The entries of a table.
pub(super) type Table = BTreeMap<String, Value>;

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    String(String),
    Boolean(bool),
    Array(Vec<Value>),
    Table(Table),
    /// A number or a date.
    Other,
}

impl Value {
    pub(super) fn as_str(&self) -> Option<&str> {
        let Value::String(text) = self else { return None };
        Some(text)
    }

    pub(super) fn as_bool(&self) -> Option<bool> {
        let Value::Boolean(truth) = self else { return None };
        Some(*truth)
    }

    pub(super) fn as_array(&self) -> Option<&Vec<Value>> {
        let Value::Array(list) = self else { return None };
        Some(list)
    }

    pub(super) fn as_table(&self) -> Option<&Table> {
        let Value::Table(table) = self else { return None };
        Some(table)
    }

    /// The entry of a table.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.as_table()?.get(key)
    }

    fn of(item: &Item<'_>) -> Value {
        match item.value() {
            Parsed::String(text) => Value::String((*text).to_owned()),
            Parsed::Boolean(truth) => Value::Boolean(*truth),
            Parsed::Array(list) => Value::Array(list.iter().map(Value::of).collect()),
            Parsed::Table(inner) => Value::Table(table(inner)),
            Parsed::Integer(_) | Parsed::Float(_) | Parsed::DateTime(_) => Value::Other,
        }
    }
}

/// The table that a text is, or what is wrong with it, and in which line.
pub(super) fn parse(text: &str) -> Result<Table, String> {
    let arena = Arena::new();
    let document = toml_spanner::parse(text, &arena).map_err(|error| {
        let before = text.get(..error.span().start as usize).unwrap_or(text);
        format!("line {}: {}", before.matches('\n').count() + 1, error.message(text))
    })?;
    Ok(table(document.table()))
}

fn table(parsed: &toml_spanner::Table<'_>) -> Table {
    parsed.iter().map(|(key, item)| (key.name.to_owned(), Value::of(item))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_read_and_a_fault_is_placed() {
        let text = "[a]\nb = { c = [true, 'd', 1, 1979-05-27] }\n[[a.e]]\nf.g = \"h\"\n";
        let read = parse(text).expect("it is TOML");
        let a = &read["a"];
        let list = a.get("b").and_then(|b| b.get("c")).and_then(Value::as_array).expect("a list");
        assert_eq!((list[0].as_bool(), list[1].as_str(), list[2].as_str()), (Some(true), Some("d"), None));
        let e = &a.get("e").and_then(Value::as_array).expect("a list of tables")[0];
        assert_eq!(e.get("f").and_then(|f| f.get("g")).and_then(Value::as_str), Some("h"));
        let fault = parse("a = 1\nb = [").expect_err("the list has no end");
        assert!(fault.starts_with("line 2: "), "{fault}");
        let deep = parse(&format!("a = {}", "[".repeat(100_000))).expect_err("too deep");
        assert!(deep.starts_with("line 1: "), "{deep}");
    }
}
