//! Tuples, structs and enums: the registers of their parts (STEPS1).

use overdub_context::ir::{Operand, Ty};
use overdub_context::ops::{self, OpDef};

use super::Lowering;
use crate::layout::{Leaf, field, leaves};
use crate::program::{Place, Step};

impl Lowering<'_> {
    /// The places of the result of an operation on composites; none if it is another one.
    pub(super) fn on_composites(
        &mut self,
        op: &OpDef,
        args: &[Operand],
        places: &[Vec<Place>],
        ret: Ty,
    ) -> Option<Vec<Place>> {
        let is_stack = |place: &Place| matches!(place, Place::Stack(_));
        let is_of_pop = *op == ops::FIELD && self.is_only_rest(args.first()?.var()?);
        if !is_of_pop && places.iter().flatten().any(is_stack) {
            return None;
        }
        let number = |at: usize| args.get(at)?.constant()?.value().as_index();
        let variant = |at: usize| u32::try_from(number(at)?).ok();
        match op {
            _ if *op == ops::TUPLE || *op == ops::STRUCT => Some(places.concat()),
            _ if *op == ops::DUP || *op == ops::BLACK_BOX => places.first().cloned(),
            _ if *op == ops::FIELD || *op == ops::TAKE_FIELD => {
                let (begin, len) = field(self.ty(args.first()?), 0, number(1)?)?;
                let own = places[0].get(begin..begin + len)?;
                // What is left has a hole, which nobody reads.
                let rest = if *op == ops::TAKE_FIELD { &places[0][..] } else { &[] };
                Some([own, rest].concat())
            }
            _ if *op == ops::WITH_FIELD => {
                let (begin, len) = field(ret, 0, number(1)?)?;
                let mut all = places[0].clone();
                all.splice(begin..begin + len, places[2].iter().copied());
                Some(all)
            }
            _ if *op == ops::TAG => places[0].first().map(|tag| vec![*tag]),
            _ if *op == ops::VARIANT => {
                let tag = variant(0)?;
                let mut all = Vec::new();
                for leaf in leaves(ret)? {
                    all.push(match leaf {
                        Leaf::Word(_) => Place::Word(self.constant(0)),
                        Leaf::Bool => Place::Mask(self.constant_mask(false)),
                        Leaf::Array(_) | Leaf::Stack => return None,
                    });
                }
                all[0] = Place::Word(self.constant(tag.into()));
                for (at, own) in places[1..].iter().enumerate() {
                    let (begin, len) = field(ret, tag, at)?;
                    all.splice(begin..begin + len, own.iter().copied());
                }
                Some(all)
            }
            _ if *op == ops::PAYLOAD => {
                let (tag, of) = (variant(1)?, self.ty(args.first()?));
                let (begin, len) = field(of, tag, number(2)?)?;
                let Place::Word(on) = places[0][0] else { return None };
                self.steps.push(Step::Require(on, tag.into()));
                places[0].get(begin..begin + len).map(<[Place]>::to_vec)
            }
            _ => None,
        }
    }
}
