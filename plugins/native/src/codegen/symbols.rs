//! Names for the addresses in a function's code, so that listings show none.

use std::fmt;

use cranelift_codegen::ir::{self, InstBuilder, types};
use hashbrown::HashMap;
use overdub_context::ops::OpDef;
use overdub_context::{Span, Symbol};

use super::func_cx::FuncCx;
use crate::runtime::trampolines::Trampoline;

/// The meaning of an address.
#[derive(Clone, Copy)]
pub(super) enum SymbolName {
    Libcall(&'static str),
    Trampoline(Trampoline),
    /// The site of an operation that an evaluator runs.
    OpSite(&'static OpDef),
    CallSite,
    FailSite(Span),
    TapeSite,
    /// A site of the checking mode.
    CheckSite,
    /// The entry of a callee.
    Entry(Symbol),
    EntryThunk,
    /// Float constants.
    Floats,
    /// The block of a counted constant.
    Constant,
    /// The array that stands for lent vectors (WORD5).
    LentVector,
}

impl fmt::Display for SymbolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SymbolName::Libcall(name) => write!(f, "libcall {name}"),
            SymbolName::Trampoline(to) => write!(f, "trampoline {to:?}"),
            SymbolName::OpSite(op) => write!(f, "op {op:?}"),
            SymbolName::CallSite => f.write_str("call site"),
            SymbolName::FailSite(span) => write!(f, "failure at {span}"),
            SymbolName::TapeSite => f.write_str("tape site"),
            SymbolName::CheckSite => f.write_str("check site"),
            SymbolName::Entry(name) => write!(f, "entry @{name}"),
            SymbolName::EntryThunk => f.write_str("entry thunk"),
            SymbolName::Floats => f.write_str("floats"),
            SymbolName::Constant => f.write_str("constant"),
            SymbolName::LentVector => f.write_str("lent vector"),
        }
    }
}

/// The values that are addresses, and their names.
pub(super) type Symbols = HashMap<ir::Value, SymbolName>;

impl FuncCx<'_> {
    /// An address that stays valid (CODE2).
    pub(super) fn address(&mut self, at: *const u8, name: SymbolName) -> ir::Value {
        let address = self.b.ins().iconst(types::I64, at as usize as i64);
        if let Some(symbols) = &mut self.symbols {
            symbols.insert(address, name);
        }
        address
    }
}

/// The blocks of a function as text, with names in place of addresses.
pub(super) fn listing(func: &ir::Function, symbols: &Symbols) -> String {
    let names: HashMap<String, SymbolName> =
        symbols.iter().map(|(value, name)| (format!("{value} = iconst.i64 "), *name)).collect();
    let text = func.display().to_string();
    let blocks = text.lines().skip_while(|line| !line.starts_with("block")).take_while(|line| *line != "}");
    let named = |line: &str| {
        let start = line.trim_start();
        let at = start.find(" = iconst.i64 ").map(|at| at + " = iconst.i64 ".len());
        match at.and_then(|at| names.get(&start[..at])) {
            Some(name) => {
                format!("    {} = symbol.i64 {name}\n", start.split(' ').next().unwrap_or_default())
            }
            // After `;` Cranelift prints the constants among the operands, including addresses.
            None => format!("{}\n", line.split("  ; ").next().unwrap_or_default()),
        }
    };
    blocks.map(named).collect()
}
