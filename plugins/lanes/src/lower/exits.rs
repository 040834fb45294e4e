//! The ends of blocks.

use overdub_context::analysis::Cfg;
use overdub_context::ir::{Block, BlockBody, Func, Operand, Target, TerminatorKind, Ty, TyKind};

use super::Lowering;
use crate::assign::in_order;
use crate::program::{Edge, Exit, Place};
use crate::unsupported::{Reason, Unsupported};

impl Lowering<'_> {
    pub(super) fn exit(&mut self) -> Result<Exit, Unsupported> {
        let func = self.func;
        let Some(end) = &func.block(self.block).terminator else {
            return Err(self.unsupported(Reason::Call, None));
        };
        Ok(match &end.kind {
            TerminatorKind::Br(target) => Exit::Branch(self.edge(target)?),
            TerminatorKind::BrIf { cond, then, otherwise } => {
                let Some([Place::Mask(on)]) =
                    self.read(cond).as_deref().map(<[Place; 1]>::try_from).and_then(Result::ok)
                else {
                    return Err(self.unsupported(Reason::Type(Ty::bool()), None));
                };
                Exit::If(on, self.edge(then)?, self.edge(otherwise)?)
            }
            TerminatorKind::Switch { on, cases, otherwise } => {
                let ty = self.ty(on);
                let Some(Place::Word(word)) = self.read(on).and_then(|all| all.first().copied()) else {
                    return Err(self.unsupported(Reason::Type(ty), None));
                };
                let mut edges = Vec::with_capacity(cases.len());
                for case in cases {
                    edges.push((case.value as u64, self.edge(&case.target)?));
                }
                let otherwise = otherwise.as_ref().map(|target| self.edge(target)).transpose()?;
                Exit::Switch(word, edges, otherwise)
            }
            TerminatorKind::Ret(value) => {
                let ty = self.ty(value);
                Exit::Return(self.read(value).ok_or_else(|| self.unsupported(Reason::Type(ty), None))?)
            }
            TerminatorKind::Fail(_) => Exit::Fail,
        })
    }

    fn edge(&mut self, target: &Target) -> Result<Edge, Unsupported> {
        let params = self.func.block(target.block).params.clone();
        let to = self.cfg.position(target.block).unwrap_or(0);
        let (mut words, mut masks) = (Vec::new(), Vec::new());
        if !self.returns[target.block.index()] {
            return Ok(Edge { to, words, masks });
        }
        for (param, arg) in params.into_iter().zip(&target.args) {
            let ty = self.func.ty(param);
            let unsupported = |lowering: &Self| lowering.unsupported(Reason::Type(ty), None);
            let from = self.read(arg).ok_or_else(|| unsupported(self))?;
            let is_own = from.iter().any(|place| self.is_own(place));
            let own = self.places.get(&param).cloned().ok_or_else(|| unsupported(self))?;
            for pair in own.into_iter().zip(from) {
                match pair {
                    (Place::Word(to), Place::Word(from)) => words.push((to, from)),
                    (Place::Mask(to), Place::Mask(from)) => masks.push((to, from)),
                    (to, from) if to == from => {}
                    _ => return Err(unsupported(self)),
                }
            }
            let times = target.args.iter().filter(|other| *other == arg).count();
            if let Operand::Var(var) = arg
                && (is_own || matches!(ty.kind(), TyKind::Stack(_)))
                && (times > 1 || self.liveness.live_in(target.block).contains(var))
            {
                return Err(unsupported(self));
            }
        }
        let words = in_order(words, &mut || self.word());
        let masks = in_order(masks, &mut || self.mask());
        Ok(Edge { to, words, masks })
    }
}

/// The blocks from which a way leads to a return.
pub(super) fn returning(func: &Func, cfg: &Cfg) -> Vec<bool> {
    let mut returns = vec![false; func.blocks.len()];
    let ends = |(block, body): (Block, &BlockBody)| {
        let end = body.terminator.as_ref()?;
        matches!(end.kind, TerminatorKind::Ret(_)).then_some(block)
    };
    let mut waiting: Vec<Block> = func.iter_blocks().filter_map(ends).collect();
    while let Some(block) = waiting.pop() {
        if !std::mem::replace(&mut returns[block.index()], true) {
            waiting.extend(cfg.preds(block));
        }
    }
    returns
}
