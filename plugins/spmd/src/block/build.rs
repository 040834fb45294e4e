//! The loop over the elements of a block, as a context: it replaces a function of one element.
//!
//! ```text
//! fn @f(%x: f64, %k: f64) -> f64                 fn @f{Block#0}(%x: [f64], %k: f64) -> [f64] {
//!                                                  %n: usize = len %x
//!                                                  %none: [f64] = array
//!                                                  br ^loop(0_usize, %none)
//!                                                ^loop(%i: usize, %all: [f64]):
//!                                          →       %goes_on: bool = lt %i, %n
//!                                                  br_if %goes_on, ^element, ^end
//!                                                ^element:
//!                                                  %at: f64 = get %x, %i
//!                                                  %y: f64 = call @f{Block#0: One}(%at, %k)
//!                                                  %more: [f64] = push %all, %y
//!                                                  …
//! ```

use overdub_context::Symbol;
use overdub_context::engine::{Body, Context, Key, NeedsHandle, Pass, PassError, ValueOnly};
use overdub_context::ir::{BuildError, Func, FuncBuilder, Operand, Target, Ty, TyKind};
use overdub_context::ops;

/// Calls a function for each element of a block.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BlockLoop {
    /// For each parameter, whether it is a list with an argument for each element.
    pub(super) mapped: Vec<bool>,
    pub(super) returns: Returns,
    /// How each number of the result is collected.
    pub(super) collect: Vec<Collect>,
}

/// What the function returns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Returns {
    /// A number.
    Number,
    /// A number, and a tuple of derivatives.
    NumberAndDerivatives,
}

/// How a number of the results is collected over the elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Collect {
    /// In a list.
    List,
    /// In a sum. It begins with -0.0, to which any number is added unchanged.
    Add,
    /// In a sum of vectors, as long as this parameter, which is not mapped over.
    AddLike(usize),
}

impl Context for BlockLoop {
    type Metadata = ();
    type Outcome = ValueOnly;

    fn name(&self) -> String {
        "Block".to_owned()
    }

    fn metadata(&self) {}

    fn key(&self) -> Key {
        Key::of::<BlockLoop>().with(self)
    }

    fn runs_as(&self, other: &BlockLoop) -> bool {
        self == other
    }

    fn needs_handle(&self) -> NeedsHandle {
        NeedsHandle::No
    }

    fn pass(&self, body: &Body<'_>) -> Result<Pass, PassError> {
        around_one(body, |func, callee| self.over(func, callee))
    }
}

/// Replaces the function of one element by one that calls it: it is a companion, since the other has its name.
pub(crate) fn around_one(
    body: &Body<'_>,
    around: impl FnOnce(&Func, Symbol) -> Result<Func, BuildError>,
) -> Result<Pass, PassError> {
    let mut one = Func::clone(body.func());
    one.name = body.companion_name(one.name, "One");
    let callee = one.name;
    body.define_companion(one);
    Ok(Pass::Replace(around(body.func(), callee)?))
}

impl BlockLoop {
    fn over(&self, func: &Func, callee: Symbol) -> Result<Func, BuildError> {
        let mut build = FuncBuilder::new(func.name, Ty::unit());
        build.set_func_span(func.span);
        build.set_span(func.span);
        let mut params: Vec<Operand> = Vec::new();
        let mut first = None;
        for (ty, mapped) in func.param_tys().collect::<Vec<_>>().into_iter().zip(&self.mapped) {
            let param: Operand = build.param("x", if *mapped { Ty::array(ty, 1) } else { ty }).into();
            if *mapped && first.is_none() {
                first = Some(param.clone());
            }
            params.push(param);
        }
        let tys = self.returns.parts(func.ret);
        let n: Operand = match first {
            Some(list) => build.op(&ops::LEN, [list])?.into(),
            None => 0_usize.into(),
        };
        let (head, element, end) = (build.new_block(), build.new_block(), build.new_block());
        let at = build.block_param(head, Ty::usize());
        let mut begin: Vec<Operand> = vec![0_usize.into()];
        let mut collected: Vec<Operand> = Vec::new();
        for (collect, ty) in self.collect.iter().zip(&tys) {
            let (empty, ty): (Operand, Ty) = match collect {
                Collect::List => {
                    let list = Ty::array(*ty, 1);
                    (build.op_as(&ops::ARRAY, Vec::<Operand>::new(), list)?.into(), list)
                }
                Collect::Add => ((-0.0).into(), *ty),
                Collect::AddLike(param) => {
                    let len = build.op(&ops::LEN, params.get(*param).cloned())?;
                    (build.op(&ops::REPEAT, [Operand::from(-0.0), len.into()])?.into(), *ty)
                }
            };
            begin.push(empty);
            collected.push(build.block_param(head, ty).into());
        }
        build.br(head, begin)?;
        build.switch_to(head)?;
        let goes_on = build.op(&ops::LT, [at.into(), n])?;
        build.br_if(
            goes_on,
            Target::new(element, Vec::<Operand>::new()),
            Target::new(end, Vec::<Operand>::new()),
        )?;

        build.switch_to(element)?;
        let mut args = Vec::new();
        for (param, mapped) in params.iter().zip(&self.mapped) {
            args.push(match mapped {
                true => build.op(&ops::GET, [param.clone(), at.into()])?.into(),
                false => param.clone(),
            });
        }
        let result: Operand = build.call(callee, args, func.ret)?.into();
        let parts = self.returns.open(&mut build, result, tys.len())?;
        let next = build.op(&ops::ADD_WRAPPING, [Operand::from(at), 1_usize.into()])?;
        let mut again: Vec<Operand> = vec![next.into()];
        let mut so_far = collected.iter();
        for (collect, part) in self.collect.iter().zip(parts) {
            let Some(before) = so_far.next() else { break };
            let op = if *collect == Collect::List { &ops::PUSH } else { &ops::ADD };
            again.push(build.op(op, [before.clone(), part])?.into());
        }
        build.br(head, again)?;

        build.switch_to(end)?;
        let all: Operand = match &collected[..] {
            [one] => one.clone(),
            _ => build.op(&ops::TUPLE, collected)?.into(),
        };
        let ret = build.ty(&all)?;
        build.set_ret(ret);
        build.ret(all)?;
        build.finish()
    }
}

impl Returns {
    /// The types of the numbers of a result of this type; none if it is of another form.
    pub(super) fn parts(self, ret: Ty) -> Vec<Ty> {
        match (self, ret.kind()) {
            (Returns::Number, _) => vec![ret],
            (Returns::NumberAndDerivatives, TyKind::Tuple(both)) => match &both[..] {
                [value, slopes] => match slopes.kind() {
                    TyKind::Tuple(slopes) => std::iter::once(*value).chain(slopes.iter().copied()).collect(),
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// The numbers of a result that has this many.
    fn open(
        self,
        build: &mut FuncBuilder,
        result: Operand,
        count: usize,
    ) -> Result<Vec<Operand>, BuildError> {
        if self == Returns::Number {
            return Ok(vec![result]);
        }
        let mut parts = vec![build.op(&ops::FIELD, [result.clone(), 0_i64.into()])?.into()];
        let slopes: Operand = build.op(&ops::FIELD, [result, 1_i64.into()])?.into();
        for k in 0..count as i64 - 1 {
            parts.push(build.op(&ops::FIELD, [slopes.clone(), k.into()])?.into());
        }
        Ok(parts)
    }
}
