//! Rust source.

mod arithmetic;
mod assignments;
mod branches;
mod composites;
mod destinations;
mod dynamic_library;
mod elementary;
mod entry;
mod exprs;
mod failing;
mod functions;
mod gemm;
mod helpers;
mod lane_frame;
mod lane_names;
mod lane_steps;
mod lanes;
mod layout;
mod library;
mod lints;
mod literals;
mod memory;
mod names;
mod no_std;
mod plain_first;
mod rows;
mod slices;
mod stmts;
mod support;
mod texts;
mod types;
mod uncalled;
mod updates;
mod variants;
mod words;
mod workspace;

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Nominal, Ty, TyKind};
use overdub_context::{Span, Symbol};

pub(crate) use self::entry::{Entry, Main};
use self::helpers::Helpers;
use self::lints::allowed;
use self::names::{Names, function_name, member};
pub(crate) use self::plain_first::Role;
use self::stmts::Tail;
use self::types::Types;
use self::uncalled::{Written, unused};
use self::workspace::uses_workspace;
use crate::ast::{Function, Label, Local, LocalInfo, Stmt, StmtKind};
use crate::error::ExportError;
use crate::lanes::LaneFunction;
use crate::local_names::{WORKSPACE, local_names};
use crate::options::{Failures, Options};
use crate::tables::PublicTable;
use crate::tidy::used_labels;

/// How a function is called.
pub(crate) struct Signature {
    /// The symbol of the function, and its name if one was asked for.
    pub(crate) symbol: Symbol,
    pub(crate) name: Option<String>,
    pub(crate) doc: Option<String>,
    /// For each parameter, whether it is a reference.
    pub(crate) refs: Vec<bool>,
    pub(crate) role: Role,
}

/// A function as callers know it.
#[derive(Clone)]
struct Callable {
    name: String,
    refs: Vec<bool>,
    /// Whether it returns a `Result` with a failure.
    returns_failures: bool,
    /// Whether it has the constant parameter `STRONG`.
    is_generic: bool,
}

/// What printing functions told about them.
#[derive(Clone, Default, PartialEq, Eq)]
struct Found {
    /// Those that may fail, if failures are returned.
    failing: HashSet<Symbol>,
    /// Whether one prints.
    prints: bool,
    /// Those that nothing calls.
    unused: HashSet<Symbol>,
}

/// A constant list that is declared once.
struct Table {
    name: String,
    /// The type and the elements.
    text: String,
    /// What it is, if it is public.
    doc: Option<String>,
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
    /// The tables that are declared beside functions of these names.
    pub(crate) tables: &'p [(&'p str, &'p PublicTable)],
}

/// Prints a program.
struct Printer<'p> {
    types: Types<'p>,
    names: Names,
    helpers: Helpers,
    functions: HashMap<Symbol, Callable>,
    tables: Vec<Table>,
    /// The fields of the workspace, with their types.
    fields: Vec<(String, String)>,
    surroundings: Surroundings<'p>,
    options: Options,
    /// Whether a function prints.
    prints: bool,
    /// The function that was asked for.
    root: Symbol,
    out: String,
    indent: usize,
    commented: Option<(Symbol, u32)>,
    // The current function.
    func: Symbol,
    func_span: Span,
    /// Whether it has the constant parameter `STRONG`.
    is_generic: bool,
    ret: Ty,
    locals: Vec<LocalInfo>,
    local_names: Vec<String>,
    labels: HashSet<Label>,
    loops: HashSet<Label>,
    /// The locals that are the lengths of vectors with such elements.
    lengths: HashMap<Local, Ty>,
    /// Whether it may fail, if failures are returned.
    fails: bool,
    span: Span,
}

/// The source of functions, those that were asked for first.
pub(crate) fn print(
    functions: &[(Function, Signature)],
    in_lanes: &[LaneFunction],
    entry: Option<Entry<'_>>,
    surroundings: Surroundings<'_>,
    options: Options,
) -> Result<String, ExportError> {
    // Whether a function may fail is known when it is printed, and what calls it is printed again then. Where the call of a
    // function was written as an expression, nothing calls it.
    let mut functions: Vec<&(Function, Signature)> = functions.iter().collect();
    let mut known = Found::default();
    loop {
        let (text, found) =
            print_knowing(&known, (&functions, in_lanes), entry.as_ref(), surroundings, options)?;
        if found == known {
            return Ok(text);
        }
        functions.retain(|(function, _)| !found.unused.contains(&function.symbol));
        known = Found { unused: HashSet::new(), ..found };
    }
}

/// The source of functions, of which something is known, and what is found out about them.
fn print_knowing(
    known: &Found,
    (functions, in_lanes): (&[&(Function, Signature)], &[LaneFunction]),
    entry: Option<&Entry<'_>>,
    surroundings: Surroundings<'_>,
    options: Options,
) -> Result<(String, Found), ExportError> {
    let mut names = names::prelude();
    let main = match entry {
        Some(Entry::Main(main)) => Some(main),
        _ => None,
    };
    if main.is_some() {
        names.unique("main");
    }
    // What was asked for has its name, and a helper of that name another.
    let mut helpers = Helpers::new(options);
    if options.failures == Failures::Result {
        names.unique("Failure");
    }
    if options.has_workspace {
        names.unique("Workspace");
    }
    for wanted in functions.iter().filter_map(|(_, signature)| signature.name.as_deref()) {
        if names.unique(wanted) != wanted {
            return Err(ExportError::Name(wanted.to_owned()));
        }
    }
    let mut tables = Vec::new();
    for (function, table) in surroundings.tables {
        let name = format!("{function}_{}", table.suffix).to_uppercase();
        if names.unique(&name) != name {
            return Err(ExportError::Name(name));
        }
        let numbers: Vec<String> = table.numbers.iter().map(usize::to_string).collect();
        let text = format!("[usize; {}] = [{}];", numbers.len(), numbers.join(", "));
        tables.push(Table { name, text, doc: Some(table.doc.clone()) });
    }
    for name in helpers.names() {
        names.unique(name);
    }
    for wanted in functions.iter().filter_map(|(_, signature)| signature.name.as_deref()) {
        helpers.rename(wanted, names.unique(&format!("{wanted}_helper")));
    }
    let mut printer = Printer {
        types: Types::new(surroundings.type_path, options),
        names,
        helpers,
        functions: HashMap::new(),
        tables,
        fields: Vec::new(),
        surroundings,
        options,
        prints: known.prints,
        root: functions.first().map_or(Symbol::new(""), |(_, signature)| signature.symbol),
        out: String::new(),
        indent: 0,
        commented: None,
        func: Symbol::new(""),
        func_span: Span::unknown(),
        is_generic: false,
        ret: Ty::unit(),
        locals: Vec::new(),
        local_names: Vec::new(),
        labels: HashSet::new(),
        loops: HashSet::new(),
        lengths: HashMap::new(),
        fails: false,
        span: Span::unknown(),
    };
    for (_, signature) in functions {
        let name = match &signature.name {
            Some(name) => name.clone(),
            None => printer.names.unique(&function_name(&signature.symbol)),
        };
        let is_asked_for = signature.name.is_some() && options.failures == Failures::Result;
        let returns_failures = is_asked_for || known.failing.contains(&signature.symbol);
        let is_generic = signature.role == Role::Generic;
        let callable = Callable { name, refs: signature.refs.clone(), returns_failures, is_generic };
        printer.functions.insert(signature.symbol, callable);
    }
    let mut found = Found::default();
    let (mut written, mut lane_names) = (Vec::new(), HashMap::new());
    for (function, signature) in functions {
        let start = printer.out.len();
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
        found.failing.extend(printer.fails.then_some(function.symbol));
        let is_root = signature.name.is_some() || main.is_some_and(|main| main.calls == function.symbol);
        let name = printer.functions[&function.symbol].name.clone();
        written.push(Written {
            symbol: function.symbol,
            name: name.clone(),
            is_root,
            text: start..printer.out.len(),
        });
        if let Some(lanes) = in_lanes.iter().find(|lanes| lanes.symbol == function.symbol) {
            lane_names.insert(function.symbol, printer.lane_function(lanes, &name, function.ret)?);
        }
    }
    found.prints = printer.prints;
    found.unused = unused(&written, &printer.out);
    if let Some(main) = main
        && let Some((_, signature)) = functions.iter().find(|(function, _)| function.symbol == main.calls)
    {
        printer.main(main, signature)?;
    }
    if let (Some(Entry::DynamicLibrary), Some((function, signature))) = (entry, functions.first()) {
        let text = match (in_lanes.first(), lane_names.get(&function.symbol)) {
            (Some(lanes), Some(name)) => printer.lane_library(lanes, name)?,
            _ => printer.dynamic_library(function, signature)?,
        };
        printer.out.push_str(&text);
    }
    Ok((printer.assembled(main.is_some())?, found))
}

impl Printer<'_> {
    fn function(&mut self, function: &Function, signature: &Signature) -> Result<(), ExportError> {
        self.func = function.symbol;
        self.func_span = function.span;
        self.is_generic = signature.role != Role::None;
        self.ret = function.ret;
        self.span = function.span;
        self.locals.clone_from(&function.locals);
        self.labels = used_labels(&function.body);
        self.loops.clear();
        loops(&function.body, &mut self.loops);
        self.lengths.clear();
        self.fails = false;
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
        let slices = function.destinations.iter().map(|to| format!("{}: &mut [f64]", self.name(to.slice)));
        params.extend(slices);
        if function.has_workspace {
            params.push(format!("{WORKSPACE}: &mut Workspace"));
        }
        let ret = match function.ret.kind() {
            _ if self.functions[&function.symbol].returns_failures => {
                format!(" -> Result<{}, Failure>", self.owned(function.ret, function.span)?)
            }
            TyKind::Unit => String::new(),
            TyKind::Never => " -> !".to_owned(),
            _ => format!(" -> {}", self.owned(function.ret, function.span)?),
        };
        let name = self.functions[&function.symbol].name.clone();
        let mut vis = if signature.name.is_some() { "pub " } else { "" };
        let name = match &signature.role {
            Role::None => name,
            Role::Generic => format!("{name}<const STRONG: bool>"),
            Role::Chooses { tests, slices } => {
                let inner = self.names.unique(&format!("{name}_by"));
                let start = self.out.len();
                self.head(&format!("{vis}fn {name}"), &params, &ret);
                self.choice(&inner, function, (tests, slices));
                self.allow(start, params.len());
                self.line("");
                vis = "";
                format!("{inner}<const STRONG: bool>")
            }
        };
        if let Some(workspace) = params.last_mut()
            && function.has_workspace
            && !uses_workspace(&function.body)
        {
            workspace.insert(0, '_');
        }
        let start = self.out.len();
        self.head(&format!("{vis}fn {name}"), &params, &ret);
        self.indent += 1;
        self.commented = None;
        if self.returns_result() && function.ret == Ty::unit() {
            self.unit_body(&function.body)?;
        } else {
            self.list(&function.body, Tail::Return)?;
        }
        self.indent -= 1;
        self.line("}");
        self.allow(start, params.len());
        Ok(())
    }

    /// Allows what clippy warns of in the function that begins at `start`.
    fn allow(&mut self, start: usize, params: usize) {
        if let Some(attribute) = allowed(&self.out[start..], params) {
            self.out.insert_str(start, &attribute);
        }
    }

    /// The first lines of a function.
    fn head(&mut self, named: &str, params: &[String], ret: &str) {
        let line = format!("{named}({}){ret} {{", params.join(", "));
        if line.chars().count() <= 100 {
            self.line(&line);
        } else {
            self.line(&format!("{named}("));
            params.iter().for_each(|param| self.line(&format!("    {param},")));
            self.line(&format!("){ret} {{"));
        }
    }

    /// The file: types, functions, tables and helpers.
    fn assembled(mut self, is_program: bool) -> Result<String, ExportError> {
        let span = self.span;
        let definitions = self.types.definitions(&mut self.names);
        let definitions = definitions.map_err(self.no_type(span))?;
        let mut text = self.helpers.failure().map(|failure| format!("\n{failure}")).unwrap_or_default();
        text.push_str(&definitions);
        if self.options.has_workspace {
            text.push_str(&self.workspace());
        }
        for Table { name, text: table, doc } in &self.tables {
            let (doc, vis) = match doc {
                Some(doc) => (format!("/// {doc}\n"), "pub "),
                None => (String::new(), ""),
            };
            // Nobody reads what is public in a program.
            let allowed = if is_program && !vis.is_empty() { "#[allow(dead_code)]\n" } else { "" };
            text.push_str(&format!("\n{doc}{allowed}#[rustfmt::skip]\n{vis}static {name}: {table}\n"));
        }
        text.push_str(&self.out);
        text.push_str(&self.helpers.text());
        let imports = self.options.library.imports(&text);
        Ok(format!("{imports}{text}").trim_start_matches('\n').to_owned())
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
