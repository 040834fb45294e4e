//! Random well-typed programs, for tests of properties that hold for every program.
//!
//! A program is drawn as a tree, and lowered to functions by the builder. Every tree is a program: a choice
//! that is invalid in its place is replaced by a valid one. So proptest shrinks the tree, and the program
//! with it, to the smallest one that still exhibits the fault.
//!
//! - The functions verify, and `@main` is one of them.
//! - Programs terminate: loops are bounded, no function calls itself, and calls in loops are within a budget;
//!   a run takes fewer than [`MAX_STEPS`] steps.
//! - Programs may fail: integers overflow, indices are out of bounds, and some programs fail on purpose.
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
mod places;
mod tree;
mod universe;
mod update;

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

/// An upper bound of the number of steps of any generated program.
pub const MAX_STEPS: u64 = 20_000_000;

/// The configuration of `usually` cases, or the number in `PROPTEST_CASES`, drawn from the seed in
/// `PROPTEST_RNG_SEED`, or from a random one. The seed is printed, which a failing test shows: the same seed
/// draws the same cases again. Failures are not persisted in files.
///
/// ```
/// use proptest::prelude::*;
/// proptest!(overdub_context::testing::cases(32), |(a: f64, b: f64)| prop_assert_eq!(a + b, b + a));
/// ```
pub fn cases(usually: u32) -> ProptestConfig {
    let from_env = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = from_env.unwrap_or(usually);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let seed = match config.rng_seed {
        RngSeed::Fixed(seed) => seed,
        RngSeed::Random => RandomState::new().build_hasher().finish(),
    };
    println!("PROPTEST_RNG_SEED={seed} PROPTEST_CASES={cases} draws the same cases again");
    ProptestConfig { rng_seed: RngSeed::Fixed(seed), ..config }
}

/// The function with an unknown location for each access that a pass has proved to be in bounds. The
/// interpreter checks these accesses, too: if a proof is wrong, the failure has no location, which
/// distinguishes it from a failure of the removed check.
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

/// Whether two results are the same to the bit, except that all `NaN`s are equal: sign and payload are
/// unspecified.
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

/// The text of a value, with each `nan:0x…` replaced by `nan`.
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
    /// The functions of the program, `@main` the last.
    pub fn funcs(&self) -> &[Arc<Func>] {
        &self.funcs
    }

    /// The functions as a module.
    pub fn module(&self) -> Module {
        self.listing().module()
    }

    /// The functions with the types that they use.
    pub fn listing(&self) -> Listing {
        Listing::of(self.funcs.iter().cloned())
    }

    /// The arguments for `@main`.
    pub fn args(&self) -> Vec<Value<'static>> {
        self.args.clone()
    }

    /// The arguments for `@main`, and for each choice others of the same types.
    pub fn rows(&self, choices: &[u8]) -> Vec<Vec<Value<'static>>> {
        let other = |arg: &Value<'static>, choice: u8| {
            let value = any_value(arg.ty(), choice);
            if value.ty() == arg.ty() { value } else { arg.clone() }
        };
        let others = choices.iter().map(|choice| {
            self.args.iter().zip(0..).map(|(arg, at)| other(arg, choice.wrapping_mul(at + 1))).collect()
        });
        std::iter::once(self.args()).chain(others).collect()
    }

    /// The structs and enums that the program uses.
    pub fn types(&self) -> Vec<Ty> {
        self.listing().types
    }
}

/// A program is shown as its text, with the call that runs it.
impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}// run: @main(", self.listing())?;
        for (i, arg) in self.args.iter().enumerate() {
            write!(f, "{}{arg}", if i > 0 { ", " } else { "" })?;
        }
        f.write_str(")\n")
    }
}
