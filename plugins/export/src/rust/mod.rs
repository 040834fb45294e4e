//! Rust source.

mod arithmetic;
mod composites;
mod exprs;
mod functions;
mod helpers;
mod layout;
mod library;
mod literals;
mod names;
mod rows;
mod stmts;
mod texts;
mod types;
mod updates;
mod variants;

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Const, Nominal, Ty, TyKind};
use overdub_context::value::Value;
use overdub_context::{Span, Symbol};

use self::helpers::Helpers;
use self::layout::ATTRIBUTE_WIDTH;
use self::literals::Known;
use self::names::{Names, function_name, member};
use self::stmts::Tail;
use self::types::Types;
use crate::ast::{Arg, Expr, Function, Label, LocalInfo, Stmt, StmtKind};
use crate::error::ExportError;
use crate::local_names::local_names;
use crate::tidy::used_labels;

/// How a function is called.
pub(crate) struct Signature {
    /// The symbol of the function, and its name if one was asked for.
    pub(crate) symbol: Symbol,
    pub(crate) name: Option<String>,
    pub(crate) doc: Option<String>,
    /// For each parameter, whether it is a reference.
    pub(crate) refs: Vec<bool>,
}

/// The function that `main` calls, and the arguments.
pub(crate) struct Main<'m> {
    pub(crate) args: &'m [(Value<'static>, Ty)],
    pub(crate) calls: Symbol,
    /// Whether the result is text to be printed as it is.
    pub(crate) is_text: bool,
}

/// A function as callers know it.
struct Callable {
    name: String,
    refs: Vec<bool>,
}

/// What is known of where the text comes from, and of where it will be.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'p> {
    /// The text of a line of a file.
    pub(crate) source: &'p dyn Fn(Symbol, u32) -> Option<String>,
    /// How a file is called in messages.
    pub(crate) file_name: &'p dyn Fn(Symbol) -> String,
    /// The path of a type that exists where the text will be.
    pub(crate) type_path: &'p dyn Fn(Nominal) -> Option<String>,
}

/// Prints a program.
struct Printer<'p> {
    types: Types<'p>,
    names: Names,
    helpers: Helpers,
    functions: HashMap<Symbol, Callable>,
    /// Constant tables, with their names.
    tables: Vec<(String, String)>,
    surroundings: Surroundings<'p>,
    /// The function that was asked for.
    root: Symbol,
    out: String,
    indent: usize,
    commented: Option<(Symbol, u32)>,
    // The current function.
    func: Symbol,
    func_span: Span,
    ret: Ty,
    locals: Vec<LocalInfo>,
    local_names: Vec<String>,
    labels: HashSet<Label>,
    loops: HashSet<Label>,
    span: Span,
}

/// The source of functions, those that were asked for first.
pub(crate) fn print(
    functions: &[(Function, Signature)],
    main: Option<Main<'_>>,
    surroundings: Surroundings<'_>,
) -> Result<String, ExportError> {
    let mut names = names::prelude();
    if main.is_some() {
        names.unique("main");
    }
    // What was asked for has its name, and a helper of that name another.
    let mut helpers = Helpers::default();
    for wanted in functions.iter().filter_map(|(_, signature)| signature.name.as_deref()) {
        if names.unique(wanted) != wanted {
            return Err(ExportError::Name(wanted.to_owned()));
        }
    }
    for name in Helpers::names() {
        names.unique(name);
    }
    for wanted in functions.iter().filter_map(|(_, signature)| signature.name.as_deref()) {
        helpers.rename(wanted, names.unique(&format!("{wanted}_helper")));
    }
    let mut printer = Printer {
        types: Types::new(surroundings.type_path),
        names,
        helpers,
        functions: HashMap::new(),
        tables: Vec::new(),
        surroundings,
        root: functions.first().map_or(Symbol::new(""), |(_, signature)| signature.symbol),
        out: String::new(),
        indent: 0,
        commented: None,
        func: Symbol::new(""),
        func_span: Span::unknown(),
        ret: Ty::unit(),
        locals: Vec::new(),
        local_names: Vec::new(),
        labels: HashSet::new(),
        loops: HashSet::new(),
        span: Span::unknown(),
    };
    for (_, signature) in functions {
        let name = match &signature.name {
            Some(name) => name.clone(),
            None => printer.names.unique(&function_name(&signature.symbol)),
        };
        printer.functions.insert(signature.symbol, Callable { name, refs: signature.refs.clone() });
    }
    for (function, signature) in functions {
        if let Some(doc) = &signature.doc {
            printer.root = signature.symbol;
            let lines: Vec<String> =
                doc.lines().map(|line| format!("/// {line}").trim_end().to_owned()).collect();
            printer.line("");
            lines.iter().for_each(|line| printer.line(line));
        } else {
            printer.line("");
        }
        printer.function(function, signature)?;
    }
    if let Some(main) = main
        && let Some((_, signature)) = functions.iter().find(|(function, _)| function.symbol == main.calls)
    {
        printer.main(&main, signature)?;
    }
    printer.assembled()
}

impl Printer<'_> {
    fn function(&mut self, function: &Function, signature: &Signature) -> Result<(), ExportError> {
        self.func = function.symbol;
        self.func_span = function.span;
        self.ret = function.ret;
        self.span = function.span;
        self.locals.clone_from(&function.locals);
        self.labels = used_labels(&function.body);
        self.loops.clear();
        loops(&function.body, &mut self.loops);
        self.local_names = local_names(function, &self.names);
        let mut params = Vec::new();
        for &param in &function.params {
            let info = self.locals[param.0 as usize].clone();
            let ty = match info.is_ref {
                true => self.types.borrowed(info.ty, &mut self.names),
                false => self.types.owned(info.ty, &mut self.names),
            };
            let ty = ty.map_err(self.no_type(function.span))?;
            let mutable = if info.is_mut { "mut " } else { "" };
            params.push(format!("{mutable}{}: {ty}", self.local_names[param.0 as usize]));
        }
        let ret = match function.ret.kind() {
            TyKind::Unit => String::new(),
            TyKind::Never => " -> !".to_owned(),
            _ => format!(" -> {}", self.owned(function.ret, function.span)?),
        };
        let name = self.functions[&function.symbol].name.clone();
        let vis = if signature.name.is_some() { "pub " } else { "" };
        let start = self.out.len();
        let line = format!("{vis}fn {name}({}){ret} {{", params.join(", "));
        if line.chars().count() <= 100 {
            self.line(&line);
        } else {
            self.line(&format!("{vis}fn {name}("));
            params.iter().for_each(|param| self.line(&format!("    {param},")));
            self.line(&format!("){ret} {{"));
        }
        self.indent += 1;
        self.commented = None;
        self.list(&function.body, Tail::Return)?;
        self.indent -= 1;
        self.line("}");
        if let Some(attribute) = allowed(&self.out[start..]) {
            self.out.insert_str(start, &attribute);
        }
        Ok(())
    }

    /// A `main` that prints what a function returns for these arguments.
    fn main(&mut self, main: &Main<'_>, signature: &Signature) -> Result<(), ExportError> {
        let mut texts = Vec::new();
        for ((value, ty), is_ref) in main.args.iter().zip(&signature.refs) {
            let constant = Const::new(value.clone());
            let constant =
                constant.ok_or_else(|| self.unsupported("an argument that is no data", Span::unknown()))?;
            let expr = Expr::Const(constant, *ty);
            let text =
                if *is_ref { self.reference(&expr)? } else { self.value(&Arg::read(expr), Known::Nothing)? };
            texts.push(text.text);
        }
        let name = self.functions[&signature.symbol].name.clone();
        self.line("");
        // Literals of structs are broken in many ways.
        if texts.iter().any(|text| text.contains(['{', '\n'])) {
            self.line("#[rustfmt::skip]");
        }
        self.line("fn main() {");
        self.indent += 1;
        self.put("let result = ", exprs::Text::call(name, texts), ";");
        self.line(if main.is_text { "println!(\"{result}\");" } else { "println!(\"{result:?}\");" });
        self.indent -= 1;
        self.line("}");
        Ok(())
    }

    /// The file: types, functions, tables and helpers.
    fn assembled(mut self) -> Result<String, ExportError> {
        let span = self.span;
        let definitions = self.types.definitions(&mut self.names);
        let definitions = definitions.map_err(self.no_type(span))?;
        let mut text = String::new();
        if self.types.uses_rc {
            text.push_str("\nuse std::rc::Rc;\n");
        }
        text.push_str(&definitions);
        for (name, table) in &self.tables {
            text.push_str(&format!("\n#[rustfmt::skip]\nstatic {name}: {table}\n"));
        }
        text.push_str(&self.out);
        text.push_str(&self.helpers.text());
        Ok(text.trim_start_matches('\n').to_owned())
    }
}

/// The attribute that allows what clippy would write differently, where the text has it: loops count as those of the
/// source do, and an opposite of an order of floats holds for what is no number.
fn allowed(text: &str) -> Option<String> {
    let has_loop = text.contains("for i");
    let is_fixed = |vector: &str| {
        let inside = vector.split(']').next().unwrap_or_default();
        let len = inside.split("; ").nth(1);
        len.is_none_or(|len| len.chars().all(|c| c.is_ascii_digit()))
    };
    let lints = [
        ("explicit_counter_loop", has_loop && text.contains("+= 1;")),
        ("manual_range_contains", text.contains(" && ")),
        ("needless_range_loop", has_loop),
        ("neg_cmp_op_on_partial_ord", text.contains("!(")),
        ("nonminimal_bool", text.contains("!(")),
        ("useless_vec", text.split("vec![").skip(1).any(is_fixed)),
    ];
    let lints = lints.into_iter().filter(|(_, is_due)| *is_due);
    let lints: Vec<String> = lints.map(|(lint, _)| format!("clippy::{lint}")).collect();
    let line = lints.join(", ");
    if line.is_empty() {
        None
    } else if line.len() <= ATTRIBUTE_WIDTH {
        Some(format!("#[allow({line})]\n"))
    } else {
        Some(format!("#[allow(\n    {}\n)]\n", lints.join(",\n    ")))
    }
}

fn loops(list: &[Stmt], found: &mut HashSet<Label>) {
    for stmt in list {
        if let StmtKind::Loop { label, .. } = &stmt.kind {
            found.insert(*label);
        }
        stmt.lists().into_iter().for_each(|inner| loops(inner, found));
    }
}
