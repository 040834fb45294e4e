//! Stacks, and the places that values have which no register holds (STEPS2, STEPS3).

use overdub_context::ir::{Block, Func, Inst, InstKind, Operand, TyKind, Var};
use overdub_context::ops::{self, OpDef};

use super::Lowering;
use crate::layout::leaves;
use crate::program::{Place, Step};

impl Lowering<'_> {
    /// The stack or the array that a variable is, whichever way it comes from.
    pub(super) fn same(&mut self, var: Var, seen: &mut Vec<Var>) -> Option<Vec<Place>> {
        if let Some(known) = self.places.get(&var) {
            return Some(known.clone());
        }
        // Around a loop, it is what enters the loop.
        if seen.contains(&var) {
            return None;
        }
        seen.push(var);
        let sources = sources(self.func, var);
        let mut found: Option<Vec<Place>> = None;
        for source in sources {
            let places = match source {
                Source::Var(from) if seen.contains(&from) => continue,
                Source::Var(from) => match self.same(from, seen) {
                    Some(places) => places,
                    None => continue,
                },
                Source::New => {
                    self.program.stacks += 1;
                    vec![Place::Stack(self.program.stacks as u32 - 1)]
                }
                Source::NewArray => self.own_array(self.func.ty(var))?,
                Source::Other => return None,
            };
            if found.as_ref().is_some_and(|found| *found != places) {
                return None;
            }
            found = Some(places);
        }
        self.places.insert(var, found.clone()?);
        found
    }

    /// Whether a variable is what a `stack.pop` gives, of which the rest of the stack is read once.
    pub(super) fn is_only_rest(&self, pair: Var) -> bool {
        let reads_rest = |inst: &&Inst| match &inst.kind {
            InstKind::Op { op, args } => {
                let number =
                    args.get(1).and_then(Operand::constant).and_then(|number| number.value().as_index());
                **op == ops::FIELD && args[0].var() == Some(pair) && number == Some(1)
            }
            _ => false,
        };
        let insts = self.func.blocks.iter().flat_map(|body| &body.insts);
        popped(self.func, pair).is_some() && insts.filter(reads_rest).count() <= 1
    }

    /// The places of the result of an operation on stacks, if it can be done. None if the operation is not on stacks.
    pub(super) fn on_stacks(
        &mut self,
        op: &OpDef,
        args: &[Operand],
        places: &[Vec<Place>],
        (inst, at): (&Inst, usize),
    ) -> Option<Option<Vec<Place>>> {
        if *op == ops::STACK_NEW {
            let place = self.same(inst.result, &mut Vec::new());
            if let Some([Place::Stack(stack)]) = place.as_deref() {
                self.steps.push(Step::StackNew(*stack));
            }
            return Some(place);
        }
        let TyKind::Stack(elem) = self.ty(args.first()?).kind() else { return None };
        let Some([Place::Stack(stack)]) = places.first().map(Vec::as_slice) else { return Some(None) };
        let (stack, parts) = (*stack, leaves(*elem)?);
        let changes = *op == ops::STACK_PUSH || *op == ops::STACK_POP;
        let is_last = args[0].var().is_some_and(|var| self.is_last_use(var, at));
        if changes && !is_last {
            return Some(None);
        }
        Some(match op {
            _ if *op == ops::STACK_PUSH => {
                self.steps.push(Step::Push(stack, places[1].clone()));
                Some(vec![Place::Stack(stack)])
            }
            _ if *op == ops::STACK_POP => self.fresh(&parts).map(|items| {
                self.steps.push(Step::Pop(stack, items.clone()));
                items.into_iter().chain([Place::Stack(stack)]).collect()
            }),
            _ if *op == ops::STACK_PEEK => self.fresh(&parts).inspect(|items| {
                self.steps.push(Step::Peek(stack, items.clone()));
            }),
            _ if *op == ops::STACK_LEN => {
                let word = self.word();
                self.steps.push(Step::StackLen(word, stack));
                Some(vec![Place::Word(word)])
            }
            _ => None,
        })
    }

    /// Whether nothing after this instruction of the block reads a variable.
    pub(super) fn is_last_use(&self, var: Var, at: usize) -> bool {
        let body = self.func.block(self.block);
        let is_read = |operand: &Operand| operand.var() == Some(var);
        let later = body.insts[at + 1..].iter().any(|inst| inst.kind.operands().any(is_read));
        let by_end = body.terminator.as_ref().is_some_and(|end| end.kind.operands().any(is_read));
        !later && !by_end && !self.liveness.live_out(self.block).contains(&var)
    }
}

/// Where a variable comes from that is a stack or an array.
enum Source {
    Var(Var),
    New,
    NewArray,
    Other,
}

fn sources(func: &Func, var: Var) -> Vec<Source> {
    let of = |operand: &Operand| operand.var().map_or(Source::Other, Source::Var);
    let mut all = Vec::new();
    for (block, body) in func.iter_blocks() {
        if let Some(at) = body.params.iter().position(|param| *param == var) {
            if block == Block::ENTRY {
                all.push(Source::Other);
            }
            let ends = func.blocks.iter().filter_map(|body| body.terminator.as_ref());
            let targets = ends.flat_map(|end| end.kind.targets()).filter(|target| target.block == block);
            all.extend(targets.filter_map(|target| target.args.get(at)).map(of));
        }
        for inst in body.insts.iter().filter(|inst| inst.result == var) {
            all.push(match &inst.kind {
                InstKind::Op { op, .. } if **op == ops::STACK_NEW => Source::New,
                InstKind::Op { op, .. } if **op == ops::REPEAT || **op == ops::ARRAY => Source::NewArray,
                InstKind::Op { op, args }
                    if [&ops::STACK_PUSH, &ops::SET, &ops::SET_UNCHECKED].contains(op) =>
                {
                    args.first().map_or(Source::Other, of)
                }
                // The rest of a stack, a field of what `stack.pop` gives.
                InstKind::Op { op, args } if **op == ops::FIELD => args
                    .first()
                    .and_then(Operand::var)
                    .and_then(|pair| popped(func, pair))
                    .map_or(Source::Other, Source::Var),
                _ => Source::Other,
            });
        }
    }
    all
}

/// The stack of the `stack.pop` that defines a variable.
fn popped(func: &Func, pair: Var) -> Option<Var> {
    let insts = func.blocks.iter().flat_map(|body| &body.insts);
    let inst = insts.into_iter().find(|inst| inst.result == pair)?;
    match &inst.kind {
        InstKind::Op { op, args } if **op == ops::STACK_POP => args.first()?.var(),
        _ => None,
    }
}
