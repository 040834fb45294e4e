//! C99 source.
//!
//! - C1 a statement's expressions are printed before its line: what an expression needs that is no expression in C is
//!   written as statements before it.
//! - C2 `owned` has named what owns memory, and says where it ends: an expression either moves a local, copies, or looks.

mod arithmetic;
mod composites;
mod definitions;
mod dynamic_library;
mod edits;
mod elementwise;
mod exprs;
mod fitting;
mod functions;
mod kernel;
mod library;
mod literals;
mod loops;
mod names;
mod places;
mod records;
mod rows;
mod shown;
mod signatures;
mod sorts;
mod stmts;
mod support;
mod texts;
mod types;
mod updates;
mod values;
mod variants;

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{Ty, TyKind};
use overdub_context::{Span, Symbol};

use self::names::{Names, function_name};
use self::support::Support;
use self::types::{NoType, Types};
use crate::ast::{Function, Label, Local, LocalInfo, Stmt};
use crate::calls::{reachable, recursive};
use crate::error::ExportError;
use crate::options::Arithmetic;
use crate::owned::{Emptied, own};
use crate::rust::{Main, Signature};
use crate::slices::slice_loops;
use crate::tables::PublicTable;

pub(crate) use dynamic_library::dynamic_library;
pub(crate) use kernel::kernel;

/// For what the text is.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Dialect {
    #[default]
    C99,
    /// C99 for a dynamic library, whose host calls one function with packed values.
    Library,
    /// The part of C99 that is C++, too, for a device: text without functions that a device has not.
    Kernel,
}

/// A function as callers know it.
#[derive(Clone)]
struct Callable {
    name: String,
    refs: Vec<bool>,
    /// Whether it was asked for, so that slices are passed as pointer and length.
    is_public: bool,
}

/// The text of a line of a file.
type Source<'p> = &'p dyn Fn(Symbol, u32) -> Option<String>;

/// Prints a program.
struct Printer<'p> {
    dialect: Dialect,
    /// In kernels, the functions that call themselves.
    recursive: HashSet<Symbol>,
    types: Types,
    names: Names,
    support: Support,
    /// Functions that were written for types, and for other needs.
    of_types: HashMap<(Ty, &'static str), String>,
    made: HashMap<String, String>,
    /// Functions that call those of the program.
    late: String,
    functions: HashMap<Symbol, Callable>,
    /// Constant tables: the name, and the definition.
    tables: Vec<(String, String)>,
    source: &'p dyn Fn(Symbol, u32) -> Option<String>,
    /// The function that was asked for.
    root: Symbol,
    out: String,
    indent: usize,
    commented: Option<(Symbol, u32)>,
    span: Span,
    // The current function.
    func: Symbol,
    func_span: Span,
    ret: Ty,
    locals: Vec<LocalInfo>,
    local_names: Vec<String>,
    /// The names of the lengths of slices that are passed as pointer and length.
    lengths: HashMap<Local, String>,
    scope: Names,
    emptied: Emptied,
    read: HashSet<Local>,
    labels: HashSet<Label>,
    /// The loops and switches around the current statement.
    around: Vec<stmts::Around>,
    /// Labels of `goto`s that are used.
    targets: HashSet<(Label, bool)>,
    /// The variant that a local has in the current branch.
    variants: Vec<(Local, usize)>,
}

/// The source of functions, those that were asked for first.
pub(crate) fn print(
    functions: &mut Vec<(Function, Signature)>,
    main: Option<Main<'_>>,
    source: Source<'_>,
    tables: &[(&str, &PublicTable)],
) -> Result<String, ExportError> {
    print_in(Dialect::C99, functions, main, (source, tables))
}

fn print_in(
    dialect: Dialect,
    functions: &mut Vec<(Function, Signature)>,
    main: Option<Main<'_>>,
    (source, tables): (Source<'_>, &[(&str, &PublicTable)]),
) -> Result<String, ExportError> {
    let wanted = functions.iter().filter(|(_, signature)| signature.name.is_some());
    let wanted = wanted.map(|(function, _)| function.symbol).chain(main.as_ref().map(|main| main.calls));
    let called = reachable(functions.iter().map(|(function, _)| function), wanted);
    functions.retain(|(function, _)| called.contains(&function.symbol));
    let names = names::library();
    let mut printer = Printer {
        dialect,
        recursive: if dialect == Dialect::Kernel {
            recursive(functions.iter().map(|(function, _)| function))
        } else {
            HashSet::new()
        },
        types: Types { is_cpp: dialect == Dialect::Kernel, ..Types::default() },
        scope: names.clone(),
        names,
        support: Support::default(),
        of_types: HashMap::new(),
        made: HashMap::new(),
        late: String::new(),
        functions: HashMap::new(),
        tables: Vec::new(),
        source,
        root: functions.first().map_or(Symbol::new(""), |(_, signature)| signature.symbol),
        out: String::new(),
        indent: 0,
        commented: None,
        span: Span::unknown(),
        func: Symbol::new(""),
        func_span: Span::unknown(),
        ret: Ty::unit(),
        locals: Vec::new(),
        local_names: Vec::new(),
        lengths: HashMap::new(),
        emptied: HashSet::new(),
        read: HashSet::new(),
        labels: HashSet::new(),
        around: Vec::new(),
        targets: HashSet::new(),
        variants: Vec::new(),
    };
    // What was asked for has its name, whatever else is called the same.
    let (asked, others): (Vec<_>, Vec<_>) =
        functions.iter().partition(|(_, signature)| signature.name.is_some());
    for (_, signature) in asked.into_iter().chain(others) {
        let wanted = signature.name.clone().unwrap_or_else(|| function_name(&signature.symbol));
        let name = printer.names.unique(&wanted);
        let is_public = signature.name.is_some();
        let callable = Callable { name, refs: signature.refs.clone(), is_public };
        printer.functions.insert(signature.symbol, callable);
    }
    for (function, table) in tables {
        printer.public_table(function, table)?;
    }
    let refs = |symbol: Symbol| {
        functions.iter().find(|(_, signature)| signature.symbol == symbol).map(|(_, s)| s.refs.clone())
    };
    let owned: Vec<(Vec<LocalInfo>, Vec<Stmt>, Emptied)> = functions
        .iter()
        .map(|(function, _)| {
            let mut owned = Function {
                locals: function.locals.clone(),
                body: function.body.clone(),
                params: function.params.clone(),
                destinations: Vec::new(),
                ..*function
            };
            let emptied = own(&mut owned, &refs);
            if dialect != Dialect::Kernel {
                slice_loops(&mut owned, Arithmetic::Exact, true);
            }
            (owned.locals, owned.body, emptied)
        })
        .collect();
    let (mut private, mut declarations) = (String::new(), String::new());
    for ((function, signature), (locals, body, emptied)) in functions.iter_mut().zip(owned) {
        function.locals = locals;
        function.body = body;
        printer.emptied = emptied;
        if signature.doc.is_some() {
            printer.root = signature.symbol;
        }
        let declaration = printer.function(function, signature)?;
        if signature.name.is_none() {
            private.push_str(&format!("{declaration};\n"));
        } else {
            declarations.push_str(&format!("{declaration};\n"));
        }
    }
    if let Some(main) = main
        && let Some((function, _)) = functions.iter().find(|(function, _)| function.symbol == main.calls)
    {
        printer.main(&main, function)?;
    }
    match dialect {
        Dialect::C99 => {}
        Dialect::Library => printer.entry_of_library(functions)?,
        Dialect::Kernel => printer.entry_of_kernel(functions)?,
    }
    if printer.late.is_empty() {
        declarations.clear();
    }
    declarations.push_str(&private);
    printer.assembled(&declarations)
}

impl Printer<'_> {
    /// The file: types, tables, the functions of the library, those of the program.
    fn assembled(mut self, declarations: &str) -> Result<String, ExportError> {
        let span = self.span;
        let definitions = self.types.definitions(&mut self.names);
        let definitions = definitions.map_err(|error| self.no_type(error, span))?;
        let mut text = match self.dialect {
            Dialect::C99 => HEAD.to_owned(),
            Dialect::Library => format!("{}{HEAD}", dynamic_library::HEAD),
            Dialect::Kernel => String::new(),
        };
        text.push_str(&definitions);
        if !self.support.declared.is_empty() {
            text.push('\n');
            text.push_str(&self.support.declared);
        }
        text.push_str(&self.support.text);
        for (_, table) in &self.tables {
            text.push('\n');
            text.push_str(table);
        }
        if !declarations.is_empty() {
            text.push('\n');
            text.push_str(declarations);
        }
        text.push_str(&self.late);
        text.push_str(&self.out);
        Ok(text)
    }

    /// There is no counterpart for a construct.
    fn unsupported(&self, construct: impl Into<String>, span: Span) -> ExportError {
        let span = crate::places::user_span(self.func, span);
        ExportError::Unsupported { func: self.root, construct: construct.into(), span }
    }

    fn no_type(&self, NoType(ty): NoType, span: Span) -> ExportError {
        self.unsupported(format!("the type `{ty}` has no counterpart in C"), span)
    }

    fn owned(&mut self, ty: Ty, span: Span) -> Result<String, ExportError> {
        let owned = self.types.owned(ty, &mut self.names);
        owned.map_err(|error| self.no_type(error, span))
    }

    fn borrowed_ty(&mut self, ty: Ty, span: Span) -> Result<String, ExportError> {
        let borrowed = self.types.borrowed(ty, &mut self.names);
        borrowed.map_err(|error| self.no_type(error, span))
    }

    /// The name of a variant's number.
    fn variant(&mut self, ty: Ty, tag: usize) -> Result<String, ExportError> {
        let variant = self.types.variant(ty, tag, &mut self.names);
        variant.map_err(|error| self.no_type(error, self.span))
    }

    /// The name of a function that is written once for a key.
    fn made(
        &mut self,
        key: String,
        wanted: &str,
        make: impl FnOnce(&mut Self, &str) -> Result<String, ExportError>,
    ) -> Result<String, ExportError> {
        if let Some(name) = self.made.get(&key) {
            return Ok(name.clone());
        }
        let name = self.global(wanted);
        self.made.insert(key, name.clone());
        let text = make(self, &name)?;
        self.support.text.push('\n');
        self.support.text.push_str(&text);
        Ok(name)
    }

    /// The word for a type in the names of functions.
    fn word(&mut self, ty: Ty) -> Result<String, ExportError> {
        let word = self.types.word(ty, &mut self.names);
        word.map(|word| names::snake(&word)).map_err(|error| self.no_type(error, self.span))
    }

    /// A name for a function that the current one may call.
    fn global(&mut self, wanted: &str) -> String {
        let mut name = self.names.unique(wanted);
        while self.scope.unique(&name) != name {
            name = self.names.unique(&name);
        }
        name
    }

    /// A name for a variable of the current function that has none in the program.
    fn fresh_name(&mut self, wanted: &str) -> String {
        self.scope.unique(wanted)
    }
}

/// Whether a type is that of a function value.
fn is_function(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Fn(_))
}

const HEAD: &str = include_str!("support/head.c");
