//! The order in which lanes take elements.
//!
//! - ORDER1 small integers and lengths of lists are mostly the numbers of rounds of loops: elements for which they are equal go side by
//!   side, so that few lanes wait for others. What elements give does not depend on it, and lies where they are in the input.

use overdub_context::ir::TyKind;
use overdub_context::value::Array;

use crate::kernels::LANES;
use crate::layout::{Leaf, leaves};
use crate::program::{Place, Program};

/// The greatest number by which elements are ordered: others are hardly numbers of rounds, but seeds and the like.
const MOST: u64 = u16::MAX as u64;

/// The numbers of all elements in order; none if they are taken as they come.
pub(super) fn order(
    program: &Program,
    inputs: &[(Place, Vec<u64>)],
    lists: &[(u32, Array<'_>)],
    len: usize,
) -> Option<Vec<u32>> {
    let has_loops = program.blocks.iter().any(|block| block.depth > 0);
    if !has_loops || len <= LANES || u32::try_from(len).is_err() {
        return None;
    }
    let params = program.params.iter().filter(|(_, places, is_mapped)| {
        let is_list = matches!(places[..], [Place::Array(_)]);
        *is_mapped && !is_list
    });
    let parts = params.flat_map(|(ty, ..)| leaves(*ty).unwrap_or_default());
    let is_int = |leaf: Leaf| matches!(leaf, Leaf::Word(ty) if matches!(ty.kind(), TyKind::Int(_)));
    let ints = inputs.iter().zip(parts).filter(|(_, leaf)| is_int(*leaf));
    let ints = ints.map(|((_, words), _)| words.clone());
    let lens = lists.iter().filter_map(|(_, lists)| {
        lists.iter().map(|list| Some(list.as_array()?.len() as u64)).collect::<Option<Vec<_>>>()
    });
    // Two keys before the number of the element.
    let mut all: Vec<u64> = (0..len as u64).collect();
    let keys = ints.chain(lens).filter(|words| is_key(words)).take(2);
    let mut count = 0;
    for (words, shift) in keys.zip([48, 32]) {
        all.iter_mut().zip(words).for_each(|(packed, word)| *packed |= word << shift);
        count += 1;
    }
    if count == 0 {
        return None;
    }
    all.sort_unstable();
    Some(all.into_iter().map(|packed| packed as u32).collect())
}

/// Whether elements differ in these words, all of which are small.
fn is_key(words: &[u64]) -> bool {
    words.iter().all(|word| *word <= MOST) && words.windows(2).any(|pair| pair[0] != pair[1])
}
