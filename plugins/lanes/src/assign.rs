//! Which register each value is in, and which steps are masked.
//!
//! - ASSIGN1 a word that is read in another block than the one that writes it has a register of its own, and is written for the
//!   lanes that are at the block alone: others wait elsewhere, and still read theirs.
//! - ASSIGN2 all other words live within a block, which reuses their registers.
//! - ASSIGN3 a step writes a register that it does not read.
//! - ASSIGN4 what a block computes only to pass it on is computed in the register of the parameter, if nothing reads that one
//!   afterwards: the move is coalesced.

use crate::program::{Access, Edge, Exit, Place, Planned, Program, Step};

/// Assigns registers, and finds which steps are masked.
pub(crate) fn assign(program: &mut Program) {
    coalesce(program);
    let shared = shared_words(program);
    let mut registers = vec![u32::MAX; program.words];
    let mut count = 0;
    for (word, is_shared) in shared.iter().enumerate() {
        if *is_shared {
            registers[word] = count;
            count += 1;
        }
    }
    let mut most = count;
    for block in &mut program.blocks {
        let mut last = vec![usize::MAX; program.words];
        for (at, planned) in block.steps.iter_mut().enumerate() {
            planned.step.words(&mut |word, _| last[*word as usize] = at);
        }
        let end = block.steps.len();
        block.exit.words(&mut |word, _| last[*word as usize] = end);

        let (mut free, mut next): (Vec<u32>, u32) = (Vec::new(), count);
        let mut take = |word: &mut u32, free: &mut Vec<u32>| {
            let register = &mut registers[*word as usize];
            if *register == u32::MAX {
                *register = free.pop().unwrap_or_else(|| {
                    next += 1;
                    next - 1
                });
            }
            *word = *register;
        };
        for (at, planned) in block.steps.iter_mut().enumerate() {
            let mut dead = Vec::new();
            let mut is_masked = false;
            planned.step.words(&mut |word, access| {
                let (number, is_shared) = (*word as usize, shared[*word as usize]);
                take(word, &mut free);
                is_masked |= access == Access::Write && is_shared;
                if last[number] == at && !is_shared {
                    dead.push(*word);
                }
            });
            // Only now (ASSIGN3).
            dead.sort_unstable();
            dead.dedup();
            free.extend(dead);
            planned.is_masked = is_masked;
            // They write the stack or the array of these lanes alone.
            let writes_own = matches!(
                planned.step,
                Step::Push(..)
                    | Step::Pop(..)
                    | Step::Peek(..)
                    | Step::Repeat(..)
                    | Step::List(..)
                    | Step::Set(..)
            );
            block.is_masked |= is_masked || writes_own;
        }
        block.exit.words(&mut |word, _| take(word, &mut free));
        most = most.max(next);
    }
    for (word, _) in &mut program.constants {
        *word = registers[*word as usize];
    }
    for place in program.params.iter_mut().flat_map(|(_, places, _)| places) {
        if let Place::Word(word) = place {
            *word = registers[*word as usize];
        }
    }
    for planned in &mut program.uniform {
        planned.step.words(&mut |word, _| *word = registers[*word as usize]);
    }
    program.shared = count as usize;
    program.words = most as usize;
}

/// Coalesces moves (ASSIGN4).
fn coalesce(program: &mut Program) {
    let writers = writers(program);
    for (at, block) in program.blocks.iter_mut().enumerate() {
        let Exit::Branch(edge) = &mut block.exit else { continue };
        let reads = |edge: &Edge, word: u32| edge.words.iter().filter(|(_, from)| *from == word).count();
        let mut kept = Vec::new();
        for (to, from) in edge.words.clone() {
            let is_own = writers[from as usize] == Some(at) && reads(edge, from) == 1 && reads(edge, to) == 0;
            if !(is_own && renames(&mut block.steps, from, to)) {
                kept.push((to, from));
            }
        }
        edge.words = kept;
    }
}

/// Lets the step that writes one word write another instead, if it is the only mention of the first, and the step and those after
/// it do not read the other; whether it does.
fn renames(steps: &mut [Planned], word: u32, to: u32) -> bool {
    let (mut mentions, mut writer, mut last) = (0, None, None);
    for (at, planned) in steps.iter_mut().enumerate() {
        planned.step.words(&mut |found, access| {
            mentions += usize::from(*found == word);
            if *found == word && access == Access::Write {
                writer = Some(at);
            }
            if *found == to {
                last = Some(at);
            }
        });
    }
    let Some(writer) = writer.filter(|writer| mentions == 1 && last.is_none_or(|last| last < *writer)) else {
        return false;
    };
    steps[writer].step.words(&mut |found, _| {
        if *found == word {
            *found = to;
        }
    });
    true
}

/// For each word, the one block whose steps write it.
fn writers(program: &mut Program) -> Vec<Option<usize>> {
    let mut writers = vec![None; program.words];
    for (at, block) in program.blocks.iter_mut().enumerate() {
        for planned in &mut block.steps {
            planned.step.words(&mut |word, access| {
                if access == Access::Write {
                    writers[*word as usize] = Some(at);
                }
            });
        }
    }
    // What another block reads stays where it is.
    for (at, block) in program.blocks.iter_mut().enumerate() {
        let mut read = |word: &mut u32, access: Access| {
            let writer = &mut writers[*word as usize];
            if access == Access::Read && *writer != Some(at) {
                *writer = None;
            }
        };
        block.steps.iter_mut().for_each(|planned| planned.step.words(&mut read));
        block.exit.words(&mut read);
    }
    writers
}

/// The words that are written in one block and read in another, with those of parameters, constants and uniform steps.
fn shared_words(program: &mut Program) -> Vec<bool> {
    let mut writer: Vec<Option<usize>> = vec![None; program.words];
    let mut shared = vec![false; program.words];
    for (word, _) in &program.constants {
        shared[*word as usize] = true;
    }
    for place in program.params.iter().flat_map(|(_, places, _)| places) {
        if let Place::Word(word) = place {
            shared[*word as usize] = true;
        }
    }
    for planned in &mut program.uniform {
        planned.step.words(&mut |word, _| shared[*word as usize] = true);
    }
    for (at, block) in program.blocks.iter_mut().enumerate() {
        for planned in &mut block.steps {
            planned.step.words(&mut |word, access| {
                if access == Access::Write {
                    let other = writer[*word as usize].replace(at);
                    shared[*word as usize] |= other.is_some_and(|other| other != at);
                }
            });
        }
        // Parameters of blocks are written by the blocks before; a word that only orders moves is written and read by one.
        let mut written = Vec::new();
        block.exit.words(&mut |word, access| {
            if access == Access::Write {
                written.push(*word as usize);
            }
        });
        for word in written {
            match writer[word] {
                None => writer[word] = Some(at),
                Some(other) if other != at => shared[word] = true,
                Some(_) => {}
            }
        }
    }
    for (at, block) in program.blocks.iter_mut().enumerate() {
        let mut read = |word: &mut u32, access: Access| {
            if access == Access::Read && writer[*word as usize] != Some(at) {
                shared[*word as usize] = true;
            }
        };
        block.steps.iter_mut().for_each(|planned| planned.step.words(&mut read));
        block.exit.words(&mut read);
    }
    shared
}

/// Moves in an order in which none overwrites what a later one reads; `temporary` makes registers for cycles.
pub(crate) fn in_order(moves: Vec<(u32, u32)>, temporary: &mut impl FnMut() -> u32) -> Vec<(u32, u32)> {
    let mut waiting: Vec<(u32, u32)> = moves.into_iter().filter(|(to, from)| to != from).collect();
    let mut ordered = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let ready = waiting.iter().position(|(to, _)| waiting.iter().all(|(_, from)| from != to));
        match ready {
            Some(at) => ordered.push(waiting.remove(at)),
            // Every register that is written is read: one of them is saved first.
            None => {
                let (saved, copy) = (waiting[0].0, temporary());
                ordered.push((copy, saved));
                waiting.iter_mut().filter(|(_, from)| *from == saved).for_each(|(_, from)| *from = copy);
            }
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ordered_moves_do_what_all_at_once_would(
            from in proptest::collection::vec(0_u32..8, 1..8),
            to in Just((0_u32..8).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let moves: Vec<(u32, u32)> = to.iter().copied().zip(from).collect();
            let before: Vec<u32> = (100..140).collect();
            let mut expected = before.clone();
            for (to, from) in &moves {
                expected[*to as usize] = before[*from as usize];
            }
            let mut next = 8;
            let ordered = in_order(moves, &mut || { next += 1; next - 1 });
            let mut found = before.clone();
            for (to, from) in ordered {
                found[to as usize] = found[from as usize];
            }
            prop_assert_eq!(&found[..8], &expected[..8]);
        }
    }
}
