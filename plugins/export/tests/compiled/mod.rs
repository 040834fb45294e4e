//! Exported programs, compiled by rustc or a C compiler and run.

// Each test uses a part of it.
#![allow(dead_code)]

pub(crate) mod c;
pub(crate) mod libm;

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use overdub_context::ir::{NominalBody, Ty, TyKind};
use overdub_context::value::Value;

/// What an exported program prints last, or the message of its panic.
pub(crate) type Outcome = Result<String, String>;

/// Compiles programs, each with a `main` that prints its result, as modules of one, and runs each.
pub(crate) fn outcomes(name: &str, programs: &[String]) -> Vec<Outcome> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the folder can be written");
    let mut main = String::from(
        "#![deny(warnings)]\n#![allow(dead_code, unused_comparisons, invalid_nan_comparisons)]\nfn main() {\n    match std::env::args().nth(1).as_deref() {\n",
    );
    for number in 0..programs.len() {
        main.push_str(&format!("        Some(\"{number}\") => program{number}::main(),\n"));
    }
    main.push_str("        _ => {}\n    }\n}\n");
    for (number, program) in programs.iter().enumerate() {
        let program = program.replace("\nfn main() {", "\npub(crate) fn main() {");
        let uses = if program.contains("libm::") { "use super::libm;\n" } else { "" };
        main.push_str(&format!("mod program{number} {{\n{uses}{program}}}\n"));
    }
    if programs.iter().any(|program| program.contains("libm::")) {
        main.push_str(&libm::module(libm::Bodies::Std));
    }
    let (source, binary) = (folder.join("main.rs"), folder.join("main"));
    fs::write(&source, main).expect("the source can be written");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(rustc)
        .args(["--edition", "2024", "-C", "debuginfo=0", "-C", "opt-level=1", "-o"])
        .args([&binary, &source])
        .output()
        .expect("rustc can be run");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    (0..programs.len())
        .map(|number| {
            let run = Command::new(&binary).arg(number.to_string()).output().expect("the program can be run");
            let text = String::from_utf8_lossy(if run.status.success() { &run.stdout } else { &run.stderr });
            match run.status.success() {
                true => Ok(text.trim_end().to_owned()),
                false => Err(text.into_owned()),
            }
        })
        .collect()
}

/// The numbers, texts and variants of a value in order, as [`scalars_of_text`] finds them in its debug form.
pub(crate) fn scalars_of_value(value: &Value<'_>, ty: Ty, found: &mut Vec<String>) {
    match value {
        Value::Unit | Value::Closure(_) | Value::Ref(_) | Value::Opaque(_) => {}
        Value::Bool(b) => found.push(b.to_string()),
        Value::Char(c) => found.push(format!("{c:?}")),
        Value::Str(text) => found.push(format!("{:?}", text.as_str())),
        Value::F64(x) => found.push(float(*x)),
        // As it is printed, which has fewer digits than as an `f64`.
        Value::F32(x) => found.push(float(format!("{x:?}").parse().expect("a number"))),
        Value::U128(n) => found.push(n.to_string()),
        Value::Int(_) | Value::I128(_) => found.extend(value.as_int().map(|(_, n)| n.to_string())),
        Value::Array(array) => array.iter().for_each(|elem| scalars_of_value(&elem, array.elem_ty(), found)),
        Value::Stack(values) => {
            let TyKind::Stack(elem) = ty.kind() else { return };
            values.iter().for_each(|value| scalars_of_value(value, *elem, found));
        }
        Value::Composite(composite) => {
            let variants = ty.as_nominal().and_then(|nominal| nominal.variants());
            found.extend(variants.map(|variants| variants[composite.tag as usize].name.to_string()));
            let tys = ty.parts(composite.tag).unwrap_or_default();
            composite.parts.iter().zip(tys).for_each(|(part, ty)| scalars_of_value(part, ty, found));
        }
    }
}

fn float(x: f64) -> String {
    if x.is_nan() { "NaN".to_owned() } else { format!("{:x}", x.to_bits()) }
}

/// The names of the variants of a type's enums.
pub(crate) fn variants(ty: Ty, found: &mut Vec<String>) {
    let parts: Vec<Ty> = match ty.kind() {
        TyKind::Tuple(parts) => parts.to_vec(),
        TyKind::Array(array) => vec![array.elem],
        TyKind::Stack(elem) => vec![*elem],
        TyKind::Struct(nominal) | TyKind::Enum(nominal) => match nominal.body() {
            Some(NominalBody::Struct(fields)) => fields.iter().map(|field| field.ty).collect(),
            Some(NominalBody::Enum(variants)) => {
                if variants.iter().all(|variant| found.contains(&variant.name.to_string())) {
                    return;
                }
                found.extend(variants.iter().map(|variant| variant.name.to_string()));
                variants.iter().flat_map(|variant| &variant.fields).map(|field| field.ty).collect()
            }
            None => return,
        },
        _ => return,
    };
    parts.into_iter().for_each(|part| variants(part, found));
}

/// The numbers, texts and variants in the debug form of a value of a type.
pub(crate) fn scalars_of_text(text: &str, ty: Ty) -> Vec<String> {
    let mut known = Vec::new();
    variants(ty, &mut known);
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '"' | '\'' => quoted(rest, first),
            c if c.is_ascii_digit() || c == '-' => {
                let is_part = |(at, c): &(usize, char)| {
                    let follows_exponent = rest[..*at].ends_with('e');
                    c.is_ascii_alphanumeric() || *c == '.' || *at == 0 || follows_exponent && *c == '-'
                };
                rest.char_indices().take_while(is_part).count()
            }
            c if c.is_ascii_alphabetic() || c == '_' => {
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            c => {
                rest = &rest[c.len_utf8()..];
                continue;
            }
        };
        let token = &rest[..len];
        rest = &rest[len..];
        // A name before a colon is a field.
        let is_name = first.is_ascii_alphabetic() || first == '_';
        match token {
            "true" | "false" => found.push(token.to_owned()),
            "NaN" => found.push("NaN".to_owned()),
            "inf" => found.push(float(f64::INFINITY)),
            "-inf" => found.push(float(f64::NEG_INFINITY)),
            _ if is_name => {
                if known.iter().any(|variant| variant == token) && !rest.starts_with(':') {
                    found.push(token.to_owned());
                }
            }
            _ if first == '"' || first == '\'' => found.push(token.to_owned()),
            _ => match token.parse::<i128>() {
                Ok(n) => found.push(n.to_string()),
                Err(_) => found.push(token.parse().map_or_else(|_| token.to_owned(), float)),
            },
        }
    }
    found
}

/// The length of a quoted text, in bytes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}
