//! Elements in blocks: a loop over the elements of a block, in the IR, is called once for all of them.
//!
//! - BLOCK1 the loop calls the function for each element in order, so that its results are those of calls one by one, to the
//!   bit. If an element fails, the block is run again one by one, which finds the error.
//! - BLOCK2 only functions whose runs cannot be told from each other are called in loops: they write no output, read no clock,
//!   have no variables that live as long as a run, and call nothing whose code is not known. Limits for each element also
//!   exclude loops.
//! - BLOCK3 a block of few elements is not worth a loop.
//! - BLOCK4 lanes are those of the executor if it has compiled the function for many elements
//!   ([`Executor::batch`](overdub_context::engine::Executor::batch)) and is faster, and array kernels otherwise, with the same results
//!   (AUTOTUNE1).
//! - BLOCK5 in lanes, derivatives are computed by plain products first, where these are allowed, and again with strong zeros where one
//!   is NaN (ZEROS2).
//! - BLOCK6 what does not run in lanes, runs as if they had not been asked for; `check_lanes` tells why.

mod autotune;
mod build;
mod lanes;

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use overdub_context::analysis::is_pure;
use overdub_context::engine::{self, Engine};
use overdub_context::ir::{Func, Ty, TyKind};
use overdub_context::value::{Array, Value};
use overdub_context::{Failure, FailureKind, Symbol};

use crate::elements::Elements;
use build::BlockLoop;
pub(crate) use build::{Collect, Returns, around_one};
pub(crate) use lanes::InLanes;

/// The loop over a block, made when the first block is large enough for one.
pub(crate) struct Blocks<'m> {
    make: Box<dyn Fn() -> Option<Block> + Send + Sync + 'm>,
    made: OnceLock<Option<Block>>,
    smallest: usize,
}

impl<'m> Blocks<'m> {
    pub(crate) fn new(smallest: usize, make: impl Fn() -> Option<Block> + Send + Sync + 'm) -> Blocks<'m> {
        Blocks { make: Box::new(make), made: OnceLock::new(), smallest }
    }

    /// Whether these elements are as many as a loop is worth (BLOCK3), and there is one.
    pub(crate) fn are_worth(&self, range: &Range<usize>) -> bool {
        range.len() >= self.smallest && self.made.get_or_init(&self.make).is_some()
    }

    /// What the loop collects over these elements: a value for each way of collecting; none if they are too few, one of them
    /// fails, they cannot be lent, or there is no loop.
    pub(crate) fn run<'a, L: Elements<'a>>(
        &self,
        elements: &L,
        range: Range<usize>,
    ) -> Option<Vec<Value<'a>>> {
        if !self.are_worth(&range) {
            return None;
        }
        self.made.get_or_init(&self.make).as_ref()?.run(elements, range)
    }
}

impl fmt::Debug for Blocks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blocks").field("smallest", &self.smallest).finish_non_exhaustive()
    }
}

/// A function that runs all elements of a block at once.
pub(crate) struct Block {
    code: Code,
    /// For each argument, whether it is mapped over.
    mapped: Vec<bool>,
    /// The types of the elements of those that are.
    elems: Vec<Ty>,
}

/// How the elements are run.
enum Code {
    Loop(engine::Prepared<BlockLoop>),
    Lanes(InLanes, Vec<Collect>),
}

/// The types of the parameters that are mapped over.
fn mapped_tys(func: &Func, mapped: &[bool]) -> Vec<Ty> {
    func.param_tys().zip(mapped).filter(|(_, mapped)| **mapped).map(|(ty, _)| ty).collect()
}

/// Whether values of a type are numbers or bools, which lists hold side by side.
fn is_scalar(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Bool | TyKind::Int(_) | TyKind::Float(_))
}

impl Block {
    /// The loop over a function, each number of whose result is collected in its own way; none if it cannot be called in a
    /// loop (BLOCK2).
    pub(crate) fn new(
        engine: &Engine,
        func: Symbol,
        mapped: &[bool],
        (returns, collect): (Returns, Vec<Collect>),
    ) -> Option<Block> {
        let module = engine.module();
        let found = module.func(func).ok()??;
        let parts = returns.parts(found.ret);
        let is_collected = |(ty, collect): (&Ty, &Collect)| match collect {
            Collect::List => is_scalar(*ty),
            Collect::Add => *ty == Ty::f64(),
            Collect::AddLike(_) => *ty == Ty::array(Ty::f64(), 1),
        };
        let fits = found.params().len() == mapped.len()
            && mapped.contains(&true)
            && found.param_tys().zip(mapped).all(|(ty, mapped)| !*mapped || is_scalar(ty))
            && parts.len() == collect.len()
            && parts.iter().zip(&collect).all(is_collected);
        if !fits || engine.limits().is_some() || !is_pure(&|name| module.func(name).ok().flatten(), func) {
            return None;
        }
        let cx = BlockLoop { mapped: mapped.to_vec(), returns, collect };
        let elems = mapped_tys(&found, mapped);
        Some(Block { code: Code::Loop(engine.prepare(&cx, func)), mapped: mapped.to_vec(), elems })
    }

    /// A function in lanes, whose results are collected in these ways.
    pub(crate) fn in_lanes(lanes: &InLanes, collect: Vec<Collect>) -> Block {
        let (mapped, elems) = (lanes.mapped.clone(), lanes.elems.clone());
        Block { code: Code::Lanes(lanes.clone(), collect), mapped, elems }
    }

    fn run<'a, L: Elements<'a>>(&self, elements: &L, range: Range<usize>) -> Option<Vec<Value<'a>>> {
        let (first, len) = (range.start, range.len());
        let lists = elements.lists(range, &self.mapped)?;
        if !lists.iter().map(Array::elem_ty).eq(self.elems.iter().copied()) {
            return None;
        }
        let args = if self.mapped.iter().all(|mapped| *mapped) {
            lists.into_iter().map(Value::from).collect()
        } else {
            let mut lists = lists.into_iter();
            let shared = elements.values(first).ok()?.into_iter().zip(&self.mapped);
            let args =
                shared.map(|(own, mapped)| if *mapped { lists.next().map(Value::from) } else { Some(own) });
            args.collect::<Option<Vec<_>>>()?
        };
        let call = match &self.code {
            Code::Loop(call) => call,
            Code::Lanes(lanes, collect) => return lanes.run(args, len, collect),
        };
        let result: Result<Value<'a>, Failure> = call.run(args);
        debug_assert!(
            !matches!(&result, Err(failure) if failure.kind() == FailureKind::Load),
            "the loop cannot be built: {result:?}"
        );
        match result.ok()? {
            Value::Composite(all) => Some(all.parts.iter().cloned().collect()),
            one => Some(vec![one]),
        }
    }
}
