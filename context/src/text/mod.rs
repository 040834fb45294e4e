//! The text form of functions: parser and printer, `parse(print(f)) == f`.
//!
//! ```text
//! struct Point { x: f64, y: f64 }
//! enum Shape { Circle(f64), Square { side: f64 }, Empty }
//!
//! fn @area(%shape: Shape) -> f64 {
//!   switch %shape, 0: ^circle, 1: ^square, else ^empty
//! ^circle:
//!   %r: f64 = payload %shape, 0, 0          // `_` may stand for a type that follows
//!   %rr: _ = mul %r, %r
//!   %a: _ = mul %rr, 3.14
//!   ret %a
//! ^square:
//!   %side: f64 = payload %shape, 1, 0
//!   %b: f64 = call @squared(%side)
//!   ret %b
//! ^empty:
//!   ret 0.0
//! }
//! ```
//!
//! Sigils: `%` value, `^` block, `@` function; names with other characters are quoted: `%"my value"`. An
//! integer without suffix is an `i64`, a float without suffix an `f64`, others have suffixes: `3_u8`,
//! `0.5_f32`. `const` takes any plain data: `[1.0, 2.0]`, `[1, 2, 3, 4; shape [2, 2]]`, `(1, true)`,
//! `Point { x: 1.0, y: 2.0 }`, `Circle(1.0)`, `stack [1, 2]`, `@area`. A generic type is declared once for
//! each choice of arguments: `struct Pair<f64> { … }`; `Option<T>` and `Ordering` are built in.
//! `!"file":line:column:len` after an instruction, a terminator or a function's head is its source location;
//! without it, the location is the position in the text.
//!
//! - TEXT1 a label in text becomes the name of its variable or block, even if it consists of digits.
//! - TEXT2 equal declarations yield the same types, however often they are parsed.
//! - TEXT3 no text makes the parser panic; nesting is limited so that the stack suffices.

mod build;
mod error;
mod infer;
mod lex;
mod literal;
mod read;
mod read_func;
mod read_term;
mod syntax;
mod types;

use std::fmt;
use std::sync::Arc;

use hashbrown::HashMap;

use crate::Symbol;
use crate::ir::{Func, Module, Ty};
use crate::ops::OpDef;
use crate::print::{declaration, declared_types};
use crate::value::Value;
use crate::verify::{Fault, verify_in};

use build::TextFunc;
use error::{Faults, LineIndex};
use lex::{Tok, lex};
use literal::Literals;
use read::TokenParser;
use types::Types;

pub use crate::print::Printer;
pub use error::{ParseError, ParseErrorKind, ParseErrors};

/// The contents of a text, in order.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The structs and enums that are declared.
    pub types: Vec<Ty>,
    /// The functions.
    pub funcs: Vec<Arc<Func>>,
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ty in &self.types {
            declaration(f, *ty)?;
            f.write_str("\n")?;
        }
        for (i, func) in self.funcs.iter().enumerate() {
            if i > 0 || !self.types.is_empty() {
                f.write_str("\n")?;
            }
            writeln!(f, "{func}")?;
        }
        Ok(())
    }
}

impl Listing {
    /// A listing of these functions, with the types that have to be declared for them.
    pub fn of(funcs: impl IntoIterator<Item = Arc<Func>>) -> Listing {
        let funcs: Vec<Arc<Func>> = funcs.into_iter().collect();
        Listing { types: declared_types(funcs.iter().map(|func| &**func)), funcs }
    }

    /// The functions as a module.
    pub fn module(&self) -> Module {
        let module = Module::new();
        for func in &self.funcs {
            module.define(func.clone());
        }
        module
    }

    /// The function of this name.
    pub fn func(&self, name: &str) -> Option<&Arc<Func>> {
        self.funcs.iter().find(|func| &*func.name == name)
    }
}

/// Parses texts, with the names that they may refer to besides their own declarations.
#[derive(Clone, Debug)]
pub struct Parser {
    file: Symbol,
    ops: Vec<&'static OpDef>,
    types: Vec<Ty>,
}

impl Default for Parser {
    fn default() -> Parser {
        Parser::new()
    }
}

impl Parser {
    /// A parser that knows the engine's operations and types.
    pub fn new() -> Parser {
        Parser { file: Symbol::new("text"), ops: Vec::new(), types: Vec::new() }
    }

    /// Sets the name of the text in errors and spans.
    #[must_use]
    pub fn file(mut self, name: &str) -> Parser {
        self.file = Symbol::new(name);
        self
    }

    /// Adds operations.
    #[must_use]
    pub fn with_ops(mut self, ops: impl IntoIterator<Item = &'static OpDef>) -> Parser {
        self.ops.extend(ops);
        self
    }

    /// Adds structs and enums that need no declaration.
    #[must_use]
    pub fn with_types(mut self, types: impl IntoIterator<Item = Ty>) -> Parser {
        self.types.extend(types);
        self
    }

    /// Parses declarations and functions without verifying them, so that a faulty program can be inspected.
    ///
    /// # Errors
    /// If the text is not well formed: each independent mistake in it.
    pub fn parse_unverified(&self, text: &str) -> Result<Listing, ParseErrors> {
        let mut faults = Faults::new(LineIndex::new(self.file, text));
        let (types, funcs) = self.read(text, &mut faults);
        faults.into_result()?;
        let funcs = funcs.into_iter().map(|func| Arc::new(func.finish())).collect();
        Ok(Listing { types, funcs })
    }

    /// Parses declarations and functions, and verifies the functions; calls of other functions are not
    /// checked.
    ///
    /// # Errors
    /// If the text is not well formed, or a function of it is not valid; all the faults, each with its
    /// location in the text.
    pub fn parse(&self, text: &str) -> Result<Listing, ParseErrors> {
        let mut faults = Faults::new(LineIndex::new(self.file, text));
        let (types, funcs) = self.read(text, &mut faults);
        if faults.is_empty() {
            verify(&funcs, &mut faults);
        }
        faults.into_result()?;
        let funcs = funcs.into_iter().map(|func| Arc::new(func.finish())).collect();
        Ok(Listing { types, funcs })
    }

    fn read<'t>(&self, text: &'t str, faults: &mut Faults<'t>) -> (Vec<Ty>, Vec<TextFunc>) {
        let tokens = lex(text, faults);
        let syntax = TokenParser::new(tokens, faults).listing();
        let mut types = self.types();
        let declared = types.declare(&syntax.decls, faults);
        let mut returns: HashMap<Symbol, Ty> = HashMap::new();
        let mut first = HashMap::new();
        for func in &syntax.funcs {
            if let Some(&place) = first.get(&func.name.node) {
                let first = faults.source.span(place).line;
                let name = format!("@{}", func.name.node);
                faults.push(func.name.at, ParseErrorKind::Duplicate { name, first });
            }
            first.entry(func.name.node).or_insert(func.name.at);
            if let Some(ret) = types.resolve(&func.ret, faults) {
                returns.insert(func.name.node, ret);
            }
        }
        let scope = build::ModuleNames { types: &types, ops: &self.ops, returns: &returns };
        let mut funcs = Vec::new();
        for func in &syntax.funcs {
            // A fault is already reported if the return type is unknown; the body is still read, to report
            // more.
            let ret = returns.get(&func.name.node).copied().unwrap_or_else(Ty::never);
            funcs.extend(build::func(func, ret, &scope, faults));
        }
        (declared, funcs)
    }

    /// The value of a literal of this type.
    ///
    /// # Errors
    /// If the text is not a literal.
    pub fn parse_value(&self, text: &str, ty: Ty) -> Result<Value<'static>, ParseErrors> {
        let values = self.parse_list(text, &[ty])?;
        Ok(values.into_iter().next().expect("as many values as types"))
    }

    /// The values of comma-separated literals of these types: the arguments of a call.
    ///
    /// # Errors
    /// If the text is not well formed, or has another number of literals.
    pub fn parse_list(&self, text: &str, tys: &[Ty]) -> Result<Vec<Value<'static>>, ParseErrors> {
        let mut faults = Faults::new(LineIndex::new(self.file, text));
        let tokens = lex(text, &mut faults);
        let literals = TokenParser::new(tokens, &mut faults).literals(tys.len());
        let types = self.types();
        let mut values = Vec::new();
        for (literal, &ty) in literals.iter().flatten().zip(tys) {
            let value = Literals { types: &types, faults: &mut faults }.value(literal, Some(ty));
            values.extend(value.map(|(value, _)| value));
        }
        faults.into_result().map(|()| values)
    }

    fn types(&self) -> Types {
        let mut types = Types::default();
        for ty in &self.types {
            types.add(*ty);
        }
        types
    }
}

impl<'t> TokenParser<'t, '_> {
    /// The given number of comma-separated literals, up to the end of the text.
    fn literals(&mut self, count: usize) -> Option<Vec<syntax::Literal<'t>>> {
        let mut literals = Vec::new();
        for i in 0..count {
            if i > 0 {
                self.expect(',')?;
            }
            literals.push(self.literal()?);
        }
        if self.peek().tok == Tok::End { Some(literals) } else { self.unexpected("nothing more") }
    }
}

/// Reports the verifier's faults in the functions of a text.
fn verify(funcs: &[TextFunc], faults: &mut Faults<'_>) {
    let module = Module::new();
    for text_func in funcs {
        module.define(text_func.func.clone());
    }
    for text_func in funcs {
        if let Err(error) = verify_in(&text_func.func, &module) {
            for Fault { invariant, place, message, .. } in error.faults {
                let place = faults.source.place(text_func.span(place));
                faults.push(place, ParseErrorKind::Invalid { invariant, message });
            }
        }
    }
}

/// Parses and verifies declarations and functions; see [`Parser::parse`].
///
/// # Errors
/// If the text is not well formed, or a function of it is not valid.
pub fn parse(text: &str) -> Result<Listing, ParseErrors> {
    Parser::new().parse(text)
}

/// Parses declarations and functions; see [`Parser::parse_unverified`].
///
/// # Errors
/// If the text is not well formed.
pub fn parse_unverified(text: &str) -> Result<Listing, ParseErrors> {
    Parser::new().parse_unverified(text)
}

/// Parses and verifies one function; see [`Parser::parse`].
///
/// # Errors
/// If the text is not exactly one function, or the function is not valid.
pub fn parse_func(text: &str) -> Result<Func, ParseErrors> {
    let listing = parse(text)?;
    match <[Arc<Func>; 1]>::try_from(listing.funcs) {
        Ok([func]) => Ok(Arc::unwrap_or_clone(func)),
        Err(funcs) => Err(error::not_one(text, funcs.len())),
    }
}
