//! Prints functions and declarations in the text form that the parser reads.
//!
//! - Printing never renumbers: variables, blocks and functions print with their own labels.
//! - The same function always prints as the same text.

mod decl;
mod value;

pub(crate) use decl::{declaration, declared_types};

use std::fmt;

use crate::Span;
use crate::ir::{
    Block, BlockBody, Callee, Func, Inst, InstKind, Operand, Target, Terminator, TerminatorKind, Var,
};
use crate::names::SigilName;

/// How a printer treats the source locations of instructions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Places {
    #[default]
    Hidden,
    Attributes,
}

/// Prints functions; without further options like `Display`, which omits source locations.
///
/// ```
/// use overdub_context::text::{self, Printer};
/// let func = text::parse_func("fn @f(%x: f64) -> f64 { ret %x }")?;
/// assert_eq!(Printer::new().with_spans().func(&func), "fn @f(%x: f64) -> f64 !\"text\":1:4:2 {\n  ret %x !\"text\":1:25:6\n}");
/// # Ok::<(), overdub_context::text::ParseErrors>(())
/// ```
#[derive(Clone, Copy, Default, Debug)]
pub struct Printer {
    places: Places,
}

impl Printer {
    /// A printer that omits source locations.
    pub fn new() -> Printer {
        Printer::default()
    }

    /// Prints source locations in full, so that the parser reads them back: `!"f.rs":3:9:4`, `!_` for an
    /// unknown one, and `in @g !"f.rs":9:5:1` after one that was inlined for a call of `@g`.
    #[must_use]
    pub fn with_spans(mut self) -> Printer {
        self.places = Places::Attributes;
        self
    }

    /// A function as text.
    pub fn func(self, func: &Func) -> String {
        Printing { func, places: self.places }.to_string()
    }

    /// An instruction of a function as text.
    pub fn inst(self, func: &Func, inst: &Inst) -> String {
        let printing = Printing { func, places: self.places };
        fmt::from_fn(|f| printing.inst(f, inst)).to_string()
    }

    /// A terminator of a function as text.
    pub fn terminator(self, func: &Func, terminator: &Terminator) -> String {
        let printing = Printing { func, places: self.places };
        fmt::from_fn(|f| printing.terminator(f, terminator)).to_string()
    }
}

/// The state of printing a function.
struct Printing<'f> {
    func: &'f Func,
    places: Places,
}

impl fmt::Display for Func {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printing { func: self, places: Places::Hidden }.fmt(f)
    }
}

impl fmt::Display for Printing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fn @{}(", SigilName(&self.func.name))?;
        self.params(f, self.func.params())?;
        write!(f, ") -> {}", self.func.ret)?;
        if self.places == Places::Attributes {
            self.place(f, self.func.span)?;
        }
        f.write_str(" {\n")?;
        for (block, body) in self.func.iter_blocks() {
            self.block(f, block, body)?;
        }
        f.write_str("}")
    }
}

impl Printing<'_> {
    fn params(&self, f: &mut fmt::Formatter<'_>, params: &[Var]) -> fmt::Result {
        comma_separated(f, params, |f, &param| write!(f, "{}: {}", self.var(param), self.func.ty(param)))
    }

    fn var(&self, var: Var) -> impl fmt::Display {
        let label = self.func.var_label(var).to_string();
        fmt::from_fn(move |f| write!(f, "%{}", SigilName(&label)))
    }

    fn block(&self, f: &mut fmt::Formatter<'_>, block: Block, body: &BlockBody) -> fmt::Result {
        if block != Block::ENTRY {
            self.label(f, block)?;
            if !body.params.is_empty() {
                f.write_str("(")?;
                self.params(f, &body.params)?;
                f.write_str(")")?;
            }
            f.write_str(":\n")?;
        }
        for inst in &body.insts {
            f.write_str("  ")?;
            self.inst(f, inst)?;
            f.write_str("\n")?;
        }
        if let Some(terminator) = &body.terminator {
            f.write_str("  ")?;
            self.terminator(f, terminator)?;
            f.write_str("\n")?;
        }
        Ok(())
    }

    fn label(&self, f: &mut fmt::Formatter<'_>, block: Block) -> fmt::Result {
        write!(f, "^{}", SigilName(&self.func.block_label(block).to_string()))
    }

    fn inst(&self, f: &mut fmt::Formatter<'_>, inst: &Inst) -> fmt::Result {
        write!(f, "{}: {} = ", self.var(inst.result), self.func.ty(inst.result))?;
        match &inst.kind {
            InstKind::Const(constant) => write!(f, "const {}", constant.value())?,
            InstKind::Op { op, args } => {
                f.write_str(op.name)?;
                if !args.is_empty() {
                    f.write_str(" ")?;
                    self.operands(f, args)?;
                }
            }
            InstKind::Call { callee, args } => self.call(f, "call", callee, args)?,
            InstKind::Overdub { callee, args } => self.call(f, "overdub", callee, args)?,
        }
        self.place(f, inst.span)
    }

    fn call(&self, f: &mut fmt::Formatter<'_>, word: &str, callee: &Callee, args: &[Operand]) -> fmt::Result {
        write!(f, "{word} ")?;
        match callee {
            Callee::Func(name) => write!(f, "@{}", SigilName(name))?,
            Callee::Value(value) => self.operand(f, value)?,
        }
        f.write_str("(")?;
        self.operands(f, args)?;
        f.write_str(")")
    }

    fn terminator(&self, f: &mut fmt::Formatter<'_>, terminator: &Terminator) -> fmt::Result {
        match &terminator.kind {
            TerminatorKind::Br(target) => {
                f.write_str("br ")?;
                self.target(f, target)?;
            }
            TerminatorKind::BrIf { cond, then, otherwise } => {
                f.write_str("br_if ")?;
                self.operand(f, cond)?;
                for target in [then, otherwise] {
                    f.write_str(", ")?;
                    self.target(f, target)?;
                }
            }
            TerminatorKind::Switch { on, cases, otherwise } => {
                f.write_str("switch ")?;
                self.operand(f, on)?;
                for case in cases {
                    write!(f, ", {}: ", case.value)?;
                    self.target(f, &case.target)?;
                }
                if let Some(target) = otherwise {
                    f.write_str(", else ")?;
                    self.target(f, target)?;
                }
            }
            TerminatorKind::Ret(value) => {
                f.write_str("ret ")?;
                self.operand(f, value)?;
            }
            TerminatorKind::Fail(message) => {
                f.write_str("fail ")?;
                self.operand(f, message)?;
            }
        }
        self.place(f, terminator.span)
    }

    fn target(&self, f: &mut fmt::Formatter<'_>, target: &Target) -> fmt::Result {
        self.label(f, target.block)?;
        if target.args.is_empty() {
            return Ok(());
        }
        f.write_str("(")?;
        self.operands(f, &target.args)?;
        f.write_str(")")
    }

    fn operands(&self, f: &mut fmt::Formatter<'_>, operands: &[Operand]) -> fmt::Result {
        comma_separated(f, operands, |f, operand| self.operand(f, operand))
    }

    fn operand(&self, f: &mut fmt::Formatter<'_>, operand: &Operand) -> fmt::Result {
        match operand {
            Operand::Var(var) => write!(f, "{}", self.var(*var)),
            Operand::Const(constant) => write!(f, "{}", constant.value()),
        }
    }

    fn place(&self, f: &mut fmt::Formatter<'_>, span: Span) -> fmt::Result {
        match self.places {
            Places::Hidden => Ok(()),
            Places::Attributes => attribute(f, span),
        }
    }
}

/// A source location as the parser reads it, with the calls for which it was inlined.
fn attribute(f: &mut fmt::Formatter<'_>, mut span: Span) -> fmt::Result {
    loop {
        if span.as_written() == Span::unknown() {
            f.write_str(" !_")?;
        } else {
            write!(f, " !{:?}:{}:{}:{}", span.file.as_str(), span.line, span.column, span.len)?;
        }
        let Some(inlined) = span.inlined() else { return Ok(()) };
        write!(f, " in @{}", SigilName(&inlined.func))?;
        span = inlined.call;
    }
}

pub(super) fn comma_separated<T>(
    f: &mut fmt::Formatter<'_>,
    items: impl IntoIterator<Item = T>,
    print: impl Fn(&mut fmt::Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        print(f, item)?;
    }
    Ok(())
}
