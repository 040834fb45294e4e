//! What is decided once for the whole program, by what its files use.
//!
//! - USES1 a file counts whether it is loaded or may be loaded later, except with registered items, whose crates are
//!   not followed: what these ask for that was decided otherwise is refused, not answered.

use std::ops::ControlFlow;

use super::session::Lowering;
use crate::source::PRELUDE;

/// What the crates use that the program names.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Uses {
    /// Types that implement `Drop`.
    drop: bool,
    owners: bool,
    capacity: bool,
    cells_of_places: bool,
    thread_ids: bool,
}

impl Lowering {
    fn named_uses(&self) -> Uses {
        *self.named_uses.get_or_init(|| {
            let mut uses = Uses::default();
            self.program.visit_named_crates(&mut |text| {
                uses.drop = uses.drop || text.contains("Drop for ");
                uses.owners = uses.owners || mentions_owners(text);
                uses.capacity = uses.capacity || mentions_capacity(text);
                uses.cells_of_places = uses.cells_of_places || mentions_cells_of_places(text);
                uses.thread_ids = uses.thread_ids || mentions_thread_ids(text);
                let places = uses.cells_of_places && uses.thread_ids;
                match uses.drop && uses.owners && uses.capacity && places {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            uses
        })
    }

    fn is_used(&self, by: fn(&str) -> bool, named: fn(&Uses) -> bool) -> bool {
        self.program.sources.any_file(|name, text| !name.starts_with(PRELUDE) && by(text))
            || named(&self.named_uses())
    }

    /// Whether a type of the program may implement `Drop`.
    fn may_drop(&self) -> bool {
        *self.may_drop.get_or_init(|| self.drop_impls.has_user_impl() || self.named_uses().drop)
    }

    /// Whether objects carry a function that drops their value.
    pub(super) fn drops_objects(&self) -> bool {
        self.may_drop() || self.counts_owners()
    }

    /// Whether `Rc` keeps an owner count: if a value in it may need drop, or if a file of the program uses
    /// the count.
    pub(super) fn counts_owners(&self) -> bool {
        *self
            .counts_owners
            .get_or_init(|| self.may_drop() || self.is_used(mentions_owners, |named| named.owners))
    }

    /// Whether vectors keep track of their capacity, which costs time: only if a file of the program uses it.
    pub(super) fn keeps_capacity(&self) -> bool {
        *self.keeps_capacity.get_or_init(|| self.is_used(mentions_capacity, |named| named.capacity))
    }

    /// Whether threads have numbers, which are kept in a static: only if a file of the program asks which thread it is in.
    pub(super) fn numbers_threads(&self) -> bool {
        *self.numbers_threads.get_or_init(|| self.is_used(mentions_thread_ids, |named| named.thread_ids))
    }

    /// Whether a `&Cell` may be a `&mut` to a place: only if a file of the program makes such a cell.
    pub(super) fn makes_cells_of_places(&self) -> bool {
        *self
            .makes_cells_of_places
            .get_or_init(|| self.is_used(mentions_cells_of_places, |named| named.cells_of_places))
    }
}

fn mentions_owners(text: &str) -> bool {
    const COUNT_USES: [&str; 9] = [
        "Weak",
        "strong_count",
        "weak_count",
        "try_unwrap",
        "unwrap_or_clone",
        "make_mut",
        "ptr_eq",
        "c::get_mut",
        "c::into_inner",
    ];
    COUNT_USES.iter().any(|name_of_use| text.contains(name_of_use))
}

/// Whether a text contains, as a whole word, a name by which it depends on capacities.
fn mentions_capacity(text: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    ["capacity", "set_len", "spare_capacity_mut", "as_ptr", "as_mut_ptr"].into_iter().any(|name| {
        text.match_indices(name)
            .any(|(at, name)| !text[..at].ends_with(is_name) && !text[at + name.len()..].starts_with(is_name))
    })
}

fn mentions_thread_ids(text: &str) -> bool {
    text.contains("thread::current") || text.contains("current()")
}

fn mentions_cells_of_places(text: &str) -> bool {
    text.contains("from_mut")
}
