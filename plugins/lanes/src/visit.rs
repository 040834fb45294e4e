//! The registers that steps and the ends of blocks read and write.

use crate::program::{Access, Edge, Exit, Place, Step};

impl Step {
    /// Calls `visit` for the number of each word that the step reads or writes, those that it reads first.
    pub(crate) fn words(&mut self, visit: &mut impl FnMut(&mut u32, Access)) {
        use Access::{Read, Write};
        match self {
            Step::Unary(_, d, a) | Step::Call(_, d, a) | Step::Wrap(_, d, a) | Step::ToInt(_, _, d, a) => {
                visit(a, Read);
                visit(d, Write);
            }
            Step::Gather(d, _, a) => {
                visit(a, Read);
                visit(d, Write);
            }
            Step::Binary(_, d, a, b)
            | Step::Checked(_, _, d, a, b)
            | Step::Wrapping(_, _, d, a, b)
            | Step::Division(_, _, d, a, b)
            | Step::Call2(_, d, a, b) => {
                visit(a, Read);
                visit(b, Read);
                visit(d, Write);
            }
            Step::Select(d, _, a, b) => {
                visit(a, Read);
                visit(b, Read);
                visit(d, Write);
            }
            Step::Compare(_, _, _, a, b) => {
                visit(a, Read);
                visit(b, Read);
            }
            Step::Require(a, _) => visit(a, Read),
            Step::Logic(..) | Step::SelectMask(..) | Step::StackNew(_) => {}
            Step::Push(_, places) => each_word(places, Read, visit),
            Step::Pop(_, places) | Step::Peek(_, places) => each_word(places, Write, visit),
            Step::StackLen(d, _) => visit(d, Write),
            Step::Repeat(_, len, fill) => {
                visit(len, Read);
                each_word(std::slice::from_mut(fill), Read, visit);
            }
            Step::List(_, items) => each_word(items, Read, visit),
            Step::Set(_, at, value) => {
                visit(at, Read);
                each_word(std::slice::from_mut(value), Read, visit);
            }
            Step::Element(d, _, at) => {
                visit(at, Read);
                each_word(std::slice::from_mut(d), Write, visit);
            }
            Step::ArrayLen(d, _) => visit(d, Write),
            Step::Eval(eval) => {
                eval.args.iter_mut().for_each(|(_, places)| each_word(places, Read, visit));
                each_word(&mut eval.result, Write, visit);
            }
        }
    }
}

impl Step {
    /// Calls `visit` for the number of each mask that the step reads or writes, those that it reads first.
    pub(crate) fn masks(&mut self, visit: &mut impl FnMut(&mut u32, Access)) {
        use Access::{Read, Write};
        match self {
            Step::Compare(_, _, d, _, _) => visit(d, Write),
            Step::Logic(_, d, a, b) => {
                visit(a, Read);
                visit(b, Read);
                visit(d, Write);
            }
            Step::Select(_, on, _, _) => visit(on, Read),
            Step::SelectMask(d, on, a, b) => {
                [on, a, b].into_iter().for_each(|mask| visit(mask, Read));
                visit(d, Write);
            }
            Step::Push(_, places) | Step::List(_, places) => each_mask(places, Read, visit),
            Step::Pop(_, places) | Step::Peek(_, places) => each_mask(places, Write, visit),
            Step::Repeat(_, _, place) | Step::Set(_, _, place) => {
                each_mask(std::slice::from_mut(place), Read, visit);
            }
            Step::Element(place, _, _) => each_mask(std::slice::from_mut(place), Write, visit),
            Step::Eval(eval) => {
                eval.args.iter_mut().for_each(|(_, places)| each_mask(places, Read, visit));
                each_mask(&mut eval.result, Write, visit);
            }
            Step::Unary(..)
            | Step::Binary(..)
            | Step::Checked(..)
            | Step::Wrapping(..)
            | Step::Division(..)
            | Step::Wrap(..)
            | Step::ToInt(..)
            | Step::Call(..)
            | Step::Call2(..)
            | Step::Gather(..)
            | Step::Require(..)
            | Step::StackNew(_)
            | Step::StackLen(..)
            | Step::ArrayLen(..) => {}
        }
    }
}

impl Exit {
    /// Calls `visit` for the number of each word that the end of a block reads, or writes for the next one.
    pub(crate) fn words(&mut self, visit: &mut impl FnMut(&mut u32, Access)) {
        let mut edge = |edge: &mut Edge| {
            for (to, from) in &mut edge.words {
                visit(from, Access::Read);
                visit(to, Access::Write);
            }
        };
        match self {
            Exit::Branch(to) => edge(to),
            Exit::If(_, then, otherwise) => {
                edge(then);
                edge(otherwise);
            }
            Exit::Switch(on, cases, otherwise) => {
                cases.iter_mut().map(|(_, to)| to).chain(otherwise).for_each(edge);
                visit(on, Access::Read);
            }
            Exit::Return(places) => each_word(places, Access::Read, visit),
            Exit::Fail => {}
        }
    }
}

fn each_word(places: &mut [Place], access: Access, visit: &mut impl FnMut(&mut u32, Access)) {
    for place in places {
        if let Place::Word(word) = place {
            visit(word, access);
        }
    }
}

fn each_mask(places: &mut [Place], access: Access, visit: &mut impl FnMut(&mut u32, Access)) {
    for place in places {
        if let Place::Mask(mask) = place {
            visit(mask, access);
        }
    }
}
