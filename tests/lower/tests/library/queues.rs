//! Queues, maps and lists in parts, and what is taken out of them.

use std::collections::hash_map::{DefaultHasher, Keys};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{Hash, Hasher};
use std::ops::Bound::{Excluded, Included};

/// A queue whose elements are not where its memory begins.
fn queue(xs: &[i32]) -> VecDeque<i32> {
    let mut queue: VecDeque<i32> = xs.iter().copied().collect();
    queue.push_front(0);
    queue.push_front(-1);
    queue.pop_front();
    queue
}

fn map() -> BTreeMap<i32, &'static str> {
    BTreeMap::from([(1, "a"), (3, "c"), (5, "e"), (7, "g")])
}

fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort();
    items
}

pub fn parts_of_queues() -> String {
    let mut q = queue(&[1, 2, 3, 4]);
    let ranges =
        (q.range(1..3).copied().collect::<Vec<_>>(), q.range(..=2).rev().copied().collect::<Vec<_>>());
    q.range_mut(2..).for_each(|x| *x *= 2);
    let (front, back) = q.as_mut_slices();
    front.iter_mut().chain(back).for_each(|x| *x += 1);
    let removed =
        (q.swap_remove_back(1), q.swap_remove_front(2), q.swap_remove_back(9), q.swap_remove_front(9));
    let asked = (q.pop_front_if(|x| *x == 1), q.pop_back_if(|x| *x == 0));
    let mut next = 10;
    q.resize_with(6, || {
        next += 1;
        next
    });
    let full = q.clone();
    q.retain_mut(|x| {
        *x += 1;
        *x % 2 == 0
    });
    q.truncate(usize::MAX);
    format!("{ranges:?} {removed:?} {asked:?} {full:?} {q:?}")
}

pub fn queues_are_compared_and_searched() -> String {
    let q = queue(&[1, 3, 5]);
    let hash = |q: &VecDeque<i32>| {
        let mut state = DefaultHasher::new();
        q.hash(&mut state);
        state.finish()
    };
    let found = (
        q.binary_search_by(|x| x.cmp(&5)),
        q.binary_search_by_key(&4, |x| x * 2),
        q.partition_point(|x| *x < 4),
    );
    let equal = (q == [0, 1, 3, 5], q == &[0, 1, 3][..], q == &[0; 4], q == vec![0, 1, 3, 5]);
    let order = (q < queue(&[1, 4]), q.cmp(&queue(&[1, 3])), q.partial_cmp(&q));
    format!("{found:?} {equal:?} {order:?} {}", hash(&q) == hash(&VecDeque::from([0, 1, 3, 5])))
}

pub fn splits_a_queue_behind() -> String {
    format!("{:?}", queue(&[1, 2]).split_off(9))
}

pub fn looks_at_a_part_behind_a_queue() -> String {
    format!("{:?}", queue(&[1, 2]).range(1..9))
}

pub fn what_is_extracted_is_asked_one_by_one() -> String {
    let mut v = vec![1, 2, 3, 4, 5, 6];
    let some: Vec<i32> = v
        .extract_if(1..5, |x| {
            *x *= 10;
            *x > 20
        })
        .collect();
    let mut asked = 0;
    let first = v.extract_if(.., |x| {
        asked += 1;
        *x > 10
    });
    let hint = first.size_hint();
    let first = first.take(1).count();
    let mut m = map();
    let pairs: Vec<_> = m.extract_if(2.., |k, v| std::mem::replace(v, "new") == "e" || *k == 3).collect();
    let mut s = BTreeSet::from([1, 3, 5, 7]);
    let odd = s.extract_if(..7, |x| *x > 1).map(|x| x * 2).collect::<Vec<_>>();
    let mut l = LinkedList::from([1, 2, 3, 4]);
    let even = l.extract_if(|x| *x % 2 == 0).next();
    format!("{some:?} {v:?} {asked} {hint:?} {first} {pairs:?} {m:?} {odd:?} {s:?} {even:?} {l:?}")
}

pub fn what_is_extracted_from_hashed_collections() -> String {
    let mut h = HashMap::from([("a", 1), ("b", 2), ("c", 3)]);
    let pairs = sorted(h.extract_if(|_, v| *v > 1));
    let mut s = HashSet::from([1, 2, 3, 4]);
    let even = sorted(s.extract_if(|x| x % 2 == 0));
    format!("{pairs:?} {h:?} {even:?} {:?}", sorted(s))
}

pub fn extracts_behind() -> String {
    vec![1, 2, 3].extract_if(2..5, |x| *x > 1).count().to_string()
}

pub fn ranges_of_maps() -> String {
    let m = map();
    let counts = (
        m.range((Excluded(3), Included(3))).count(),
        m.range(3..3).count(),
        m.range((Excluded(3), Included(7))).count(),
    );
    format!("{counts:?} {:?} {:?}", m.range(3..), BTreeSet::from([1, 3]).range(2..).next())
}

pub fn ranges_of_one_key_that_is_excluded() -> String {
    map().range((Excluded(4), Excluded(4))).count().to_string()
}

pub fn ranges_of_maps_backwards() -> String {
    map().range((Included(6), Included(5))).count().to_string()
}

pub fn ranges_of_sets_backwards() -> String {
    BTreeSet::from([1, 9]).range(6..=5).count().to_string()
}

fn longest<'a>(keys: Keys<'a, String, i32>) -> Option<&'a String> {
    keys.max_by_key(|key| key.len())
}

pub fn keys_values_and_entries_are_shown() -> String {
    let mut m = map();
    let shown =
        format!("{:?} {:?} {:?} {:?}", m.keys(), m.values(), m.clone().into_keys(), m.clone().into_values());
    let h = HashMap::from([("ab".to_owned(), 1), ("c".to_owned(), 2)]);
    let entries =
        [format!("{:?}", m.entry(1)), format!("{:?}", m.entry(2)), format!("{:?}", m.first_entry())];
    format!("{shown} {entries:?} {:?}", longest(h.keys()))
}

pub fn several_values_of_a_map() -> String {
    let mut h = HashMap::from([("a", 1), ("b", 2), ("c", 3)]);
    if let [Some(a), Some(b), None] = h.get_disjoint_mut(["a", "b", "x"]) {
        std::mem::swap(a, b);
    }
    format!("{:?}", sorted(h))
}

pub fn one_value_of_a_map_twice() -> String {
    format!("{:?}", HashMap::from([(1, 1), (2, 2)]).get_disjoint_mut([&1, &2, &1]))
}
