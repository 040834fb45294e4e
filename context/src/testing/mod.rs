//! Random well-typed programs, for whoever wants to show that something holds for every program.
//!
//! A program is drawn as a tree, and lowered to functions by the builder. Every tree is a program: a choice that
//! makes no sense in its place counts as another one that does. So proptest shrinks the tree, and the program
//! with it, to the smallest one that still shows the fault.
//!
//! - The functions verify, and `@main` is one of them.
//! - Programs end: loops are bounded, no function calls itself, and calls in loops are within a budget; a run takes
//!   fewer than [`MAX_STEPS`] steps.
//! - They may fail: integers overflow, indices leave their array, and some programs fail on purpose.
//!
//! ```
//! use overdub_context::{testing::programs, verify::verify_module};
//! use proptest::prelude::*;
//! proptest!(|(program in programs())| {
//!     prop_assert!(verify_module(&program.module()).is_ok());
//! });
//! ```

mod body;
mod bytes;
mod expr;
mod lower;
mod tree;
mod universe;

use std::fmt;
use std::sync::Arc;

use std::hash::{BuildHasher, Hasher, RandomState};

use proptest::test_runner::{Config as ProptestConfig, RngSeed};

use crate::Span;
use crate::ir::{Func, InstKind, Module, Ty};
use crate::ops;
use crate::text::Listing;
use crate::value::Value;

pub use tree::programs;
pub use universe::{any_ty, any_value};

/// More steps than any generated program takes.
pub const MAX_STEPS: u64 = 20_000_000;

/// `usually` cases, or the number in `PROPTEST_CASES`, drawn from the seed in `PROPTEST_RNG_SEED`, or from another one
/// each time. The seed is printed, which a test shows where it fails: the same seed draws the same cases again. Failures
/// are kept in no file.
///
/// ```
/// use proptest::prelude::*;
/// proptest!(overdub_context::testing::cases(32), |(a: f64, b: f64)| prop_assert_eq!(a + b, b + a));
/// ```
pub fn cases(usually: u32) -> ProptestConfig {
    let said = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = said.unwrap_or(usually);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let seed = match config.rng_seed {
        RngSeed::Fixed(seed) => seed,
        RngSeed::Random => RandomState::new().build_hasher().finish(),
    };
    println!("PROPTEST_RNG_SEED={seed} PROPTEST_CASES={cases} draws the same cases again");
    ProptestConfig { rng_seed: RngSeed::Fixed(seed), ..config }
}

/// The function with an unknown place for each access that a pass has proven to be in bounds. The interpreter checks these
/// too: where a proof is wrong, the failure has no place, which tells it from the failure of the check that went.
pub fn expose_proofs(mut func: Func) -> Func {
    for inst in func.blocks.iter_mut().flat_map(|body| &mut body.insts) {
        if let InstKind::Op { op, .. } = &inst.kind
            && (**op == ops::GET_UNCHECKED || **op == ops::SET_UNCHECKED)
        {
            inst.span = Span::unknown();
        }
    }
    func
}

/// Whether two results are the same to the bit, but that a `NaN` is a `NaN`: its sign and payload are nobody's promise.
///
/// ```
/// use overdub_context::{testing::alike, value::Value};
/// let nans = [f64::NAN, -f64::NAN].map(|nan| Value::tuple([nan.into(), 1.0.into()]));
/// assert!(alike(&nans[0], &nans[1]) && !nans[0].same(&nans[1]));
/// assert!(!alike(&0.0.into(), &(-0.0).into()));
/// ```
pub fn alike(a: &Value<'_>, b: &Value<'_>) -> bool {
    a.same(b) || without_payloads(a) == without_payloads(b)
}

/// The text of a value, each `nan:0x…` in it a `nan`.
fn without_payloads(value: &Value<'_>) -> String {
    let text = value.to_string();
    let mut parts = text.split("nan:0x");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| {
        all + "nan" + part.trim_start_matches(|digit: char| digit.is_ascii_hexdigit())
    })
}

/// A random program: functions, and arguments for `@main`.
#[derive(Clone)]
pub struct Program {
    funcs: Vec<Arc<Func>>,
    args: Vec<Value<'static>>,
}

impl Program {
    /// Its functions, `@main` the last.
    pub fn funcs(&self) -> &[Arc<Func>] {
        &self.funcs
    }

    /// Its functions as a module.
    pub fn module(&self) -> Module {
        self.listing().module()
    }

    /// Its functions with the types that they use.
    pub fn listing(&self) -> Listing {
        Listing::of(self.funcs.iter().cloned())
    }

    /// Arguments that `@main` takes.
    pub fn args(&self) -> Vec<Value<'static>> {
        self.args.clone()
    }

    /// The structs and enums that it uses.
    pub fn types(&self) -> Vec<Ty> {
        self.listing().types
    }
}

/// A program shows as its text, with the call that runs it.
impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}// run: @main(", self.listing())?;
        for (i, arg) in self.args.iter().enumerate() {
            write!(f, "{}{arg}", if i > 0 { ", " } else { "" })?;
        }
        f.write_str(")\n")
    }
}
