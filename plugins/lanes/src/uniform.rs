//! Steps whose results are the same for all elements.
//!
//! - UNIFORM1 a step that reads only constants, arguments that all elements share, and results of such steps, and that cannot fail,
//!   runs once, before the first element: divergence analysis (Coutinho and others, *Divergence Analysis and Optimizations*, PACT
//!   2011) without branches, since lanes take elements at different times.

use hashbrown::HashSet;

use crate::program::{Access, Origin, Place, Program, Step};

/// Moves steps to where they run once.
pub(crate) fn hoist(program: &mut Program) {
    let (mut words, mut masks) = (HashSet::new(), HashSet::new());
    words.extend(program.constants.iter().map(|(word, _)| *word));
    masks.extend(program.constant_masks.iter().map(|(mask, _)| *mask));
    let shared = program.params.iter().filter(|(_, _, is_mapped)| !*is_mapped);
    for place in shared.flat_map(|(_, places, _)| places) {
        match place {
            Place::Word(word) => words.insert(*word),
            Place::Mask(mask) => masks.insert(*mask),
            Place::Array(_) | Place::Stack(_) => false,
        };
    }
    for block in &mut program.blocks {
        for mut planned in std::mem::take(&mut block.steps) {
            let mut is_uniform = is_total(&planned.step, &program.arrays);
            let mut written = (Vec::new(), Vec::new());
            planned.step.words(&mut |word, access| match access {
                Access::Read => is_uniform &= words.contains(word),
                Access::Write => written.0.push(*word),
            });
            planned.step.masks(&mut |mask, access| match access {
                Access::Read => is_uniform &= masks.contains(mask),
                Access::Write => written.1.push(*mask),
            });
            if is_uniform {
                words.extend(written.0);
                masks.extend(written.1);
                program.uniform.push(planned);
            } else {
                block.steps.push(planned);
            }
        }
    }
}

/// Whether a step depends on what it reads alone, does nothing else than to write its result, and never fails.
fn is_total(step: &Step, arrays: &[Origin]) -> bool {
    match step {
        Step::Unary(..)
        | Step::Binary(..)
        | Step::Wrapping(..)
        | Step::Wrap(..)
        | Step::ToInt(..)
        | Step::Compare(..)
        | Step::Logic(..)
        | Step::Select(..)
        | Step::SelectMask(..)
        | Step::Call(..)
        | Step::Call2(..) => true,
        Step::ArrayLen(_, array) => !matches!(arrays[*array as usize], Origin::Own(_)),
        // Others may fail, or read or write what each lane has for itself.
        _ => false,
    }
}
