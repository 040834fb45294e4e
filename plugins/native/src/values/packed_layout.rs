//! How elements of a type are packed: as rows of words, unless they are scalars or too large.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use hashbrown::{HashMap, HashSet};
use overdub_context::ir::{NominalBody, Ty, TyKind};

use crate::abi::layout::{Component, Counted, Elem, Layout};

/// Elements with more components are stored as values.
const MAX_COMPONENTS: usize = 24;

/// How elements of a type are packed.
#[derive(Debug)]
pub(crate) struct PackedLayout {
    pub(crate) layout: Arc<Layout>,
    /// The counted components, by position.
    pub(super) counted: Vec<(usize, Counted)>,
    /// The uniqueness flags, by position.
    pub(super) unique_flags: Vec<usize>,
    /// Whether an element may contain an array of its own type.
    pub(super) nests: bool,
}

impl PackedLayout {
    /// The layout of packed elements of a type; `None` if they are not packed.
    pub(crate) fn of(elem: Ty) -> Option<Arc<PackedLayout>> {
        // One cache for the process, as for layouts.
        static RECORDS: LazyLock<Mutex<HashMap<Ty, Option<Arc<PackedLayout>>>>> =
            LazyLock::new(Mutex::default);
        let known = RECORDS.lock().unwrap_or_else(PoisonError::into_inner).get(&elem).cloned();
        if let Some(record) = known {
            return record;
        }
        let record = PackedLayout::new(elem).map(Arc::new);
        let mut records = RECORDS.lock().unwrap_or_else(PoisonError::into_inner);
        records.entry(elem).or_insert(record).clone()
    }

    fn new(elem: Ty) -> Option<PackedLayout> {
        if Elem::of(elem).is_some() {
            return None;
        }
        let layout = Layout::of(elem);
        let counted: Vec<(usize, Counted)> = (0..)
            .zip(&layout.components)
            .filter_map(|(at, component)| match component {
                Component::Counted(counted) => Some((at, *counted)),
                _ => None,
            })
            .collect();
        let fits = (1..=MAX_COMPONENTS).contains(&layout.components.len());
        // A tape does not leave its run (RECORDS3).
        let has_tape = counted.iter().any(|(_, counted)| *counted == Counted::Tape);
        let unique_flags = (0..)
            .zip(&layout.components)
            .filter(|(_, component)| **component == Component::Unique)
            .map(|(at, _)| at)
            .collect();
        (fits && !has_tape).then(|| PackedLayout {
            unique_flags,
            nests: !counted.is_empty() && nests(elem),
            counted,
            layout,
        })
    }

    /// The number of words of a row.
    pub(crate) fn width(&self) -> usize {
        self.layout.components.len()
    }

    /// The counted components of a row.
    pub(crate) fn counted(&self) -> &[(usize, Counted)] {
        &self.counted
    }
}

/// Whether a value of the type may contain arrays of its own type.
fn nests(elem: Ty) -> bool {
    let mut seen: HashSet<Ty> = HashSet::new();
    let mut pending = vec![elem];
    while let Some(ty) = pending.pop() {
        if !seen.insert(ty) {
            if ty == elem {
                return true;
            }
            continue;
        }
        match ty.kind() {
            TyKind::Array(array) => pending.push(array.elem),
            TyKind::Tuple(parts) => pending.extend(parts.iter()),
            TyKind::Closure(closure) => pending.extend(closure.captures.iter()),
            TyKind::Struct(nominal) | TyKind::Enum(nominal) => match nominal.body() {
                Some(NominalBody::Struct(fields)) => pending.extend(fields.iter().map(|field| field.ty)),
                Some(NominalBody::Enum(variants)) => {
                    pending.extend(variants.iter().flat_map(|variant| &variant.fields).map(|field| field.ty));
                }
                None => {}
            },
            _ => {}
        }
    }
    false
}
