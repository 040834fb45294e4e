//! Registers for the values of a region.
//!
//! A value has one place throughout: values of a loop have registers for all of it, by how often they are used, and all others by
//! linear scan (Poletto and Sarkar, *Linear Scan Register Allocation*, TOPLAS 1999). What has no register stays in memory, where
//! the steps of the interpreter keep it.

use super::inst::{Kind, Virtual};

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Loc {
    /// A register, by its number among those that are given out.
    Register(u8),
    Memory,
}

/// The places of values, with this many registers, and whether all have registers but those that a loop only reads.
pub(super) fn allocate(values: &[Virtual], registers: usize, is_loop: bool) -> (Vec<Loc>, bool) {
    let mut locs = vec![Loc::Memory; values.len()];
    let is_whole = |value: &Virtual| is_loop && matches!(value.kind, Kind::State | Kind::Invariant);
    let is_kept = |value: &Virtual| match value.kind {
        Kind::Memory => false,
        // Operands in memory cost nothing, unless they are read again and again.
        Kind::Invariant => is_loop || value.uses > 1,
        Kind::State | Kind::Temporary | Kind::Merged => true,
    };
    let mut scanned: Vec<usize> =
        (0..values.len()).filter(|at| is_kept(&values[*at]) && !is_whole(&values[*at])).collect();
    scanned.sort_by_key(|at| values[*at].first);
    let reserved = most_at_once(values, &scanned).min(registers / 2);

    let mut whole: Vec<usize> =
        (0..values.len()).filter(|at| is_kept(&values[*at]) && is_whole(&values[*at])).collect();
    whole.sort_by_key(|at| (values[*at].kind == Kind::Invariant, u32::MAX - values[*at].uses));
    let mut has_all = true;
    let mut free: Vec<u8> = (0..registers as u8).rev().collect();
    for at in whole {
        match free.pop() {
            Some(register) if free.len() >= reserved => locs[at] = Loc::Register(register),
            last => {
                free.extend(last);
                has_all &= values[at].kind == Kind::Invariant;
            }
        }
    }
    let mut active: Vec<usize> = Vec::new();
    for at in scanned {
        active.retain(|other| {
            let is_over = values[*other].last < values[at].first;
            if let (true, Loc::Register(register)) = (is_over, locs[*other]) {
                free.push(register);
            }
            !is_over
        });
        if let Some(register) = free.pop() {
            locs[at] = Loc::Register(register);
            active.push(at);
            continue;
        }
        has_all = false;
        // The one that ends last goes to memory.
        let latest = (0..active.len()).max_by_key(|other| values[active[*other]].last);
        if let Some(latest) = latest.filter(|latest| values[active[*latest]].last > values[at].last) {
            let other = std::mem::replace(&mut active[latest], at);
            locs[at] = std::mem::replace(&mut locs[other], Loc::Memory);
        }
    }
    (locs, has_all)
}

/// The greatest number of values, in the order of their first mention, that are alive at once.
fn most_at_once(values: &[Virtual], scanned: &[usize]) -> usize {
    let mut active: Vec<usize> = Vec::new();
    let mut most = 0;
    for at in scanned {
        active.retain(|last| *last >= values[*at].first);
        active.push(values[*at].last);
        most = most.max(active.len());
    }
    most
}
