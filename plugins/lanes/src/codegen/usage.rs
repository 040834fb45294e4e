//! Where the words and masks of a program are read and written.

use crate::program::{Access, Exit, Place, Program};

/// A step of a block; the end of a block has the number of its steps.
pub(super) type Spot = (usize, usize);

/// Where a register is read and written.
#[derive(Clone, Default, Debug)]
pub(super) struct Spots {
    pub(super) reads: Vec<Spot>,
    pub(super) writes: Vec<Spot>,
}

/// Where the registers of a program are read and written. Those of words that live within a block are of no use, since several
/// values share them (ASSIGN2).
pub(super) struct Usage {
    pub(super) words: Vec<Spots>,
    pub(super) masks: Vec<Spots>,
}

impl Usage {
    pub(super) fn of(program: &Program) -> Usage {
        let mut usage = Usage {
            words: vec![Spots::default(); program.words],
            masks: vec![Spots::default(); program.masks],
        };
        let note = |all: &mut Vec<Spots>, number: u32, access: Access, spot: Spot| {
            let spots = &mut all[number as usize];
            if access == Access::Read { spots.reads.push(spot) } else { spots.writes.push(spot) }
        };
        for (at, block) in program.blocks.iter().enumerate() {
            for (number, planned) in block.steps.iter().enumerate() {
                let mut step = planned.step.clone();
                step.words(&mut |word, access| note(&mut usage.words, *word, access, (at, number)));
                step.masks(&mut |mask, access| note(&mut usage.masks, *mask, access, (at, number)));
            }
            let end = (at, block.steps.len());
            let mut exit = block.exit.clone();
            exit.words(&mut |word, access| note(&mut usage.words, *word, access, end));
            exit_masks(&exit, &mut |mask, access| note(&mut usage.masks, mask, access, end));
        }
        // Written before the first block.
        let before = (usize::MAX, 0);
        for planned in &program.uniform {
            let mut step = planned.step.clone();
            step.words(&mut |word, access| {
                if access == Access::Write {
                    usage.words[*word as usize].writes.push(before);
                }
            });
            step.masks(&mut |mask, access| {
                if access == Access::Write {
                    usage.masks[*mask as usize].writes.push(before);
                }
            });
        }
        for place in program.params.iter().flat_map(|(_, places, _)| places) {
            match place {
                Place::Word(word) => usage.words[*word as usize].writes.push(before),
                Place::Mask(mask) => usage.masks[*mask as usize].writes.push(before),
                Place::Array(_) | Place::Stack(_) => {}
            }
        }
        usage
    }
}

fn exit_masks(exit: &Exit, visit: &mut impl FnMut(u32, Access)) {
    for edge in super::parts::edges(exit) {
        for (to, from) in &edge.masks {
            visit(*from, Access::Read);
            visit(*to, Access::Write);
        }
    }
    match exit {
        Exit::If(on, ..) => visit(*on, Access::Read),
        Exit::Return(places) => places.iter().for_each(|place| {
            if let Place::Mask(mask) = place {
                visit(*mask, Access::Read);
            }
        }),
        Exit::Branch(_) | Exit::Switch(..) | Exit::Fail => {}
    }
}
