//! What the library clones and drops, and in which order.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, LinkedList, VecDeque};
use std::rc::Rc;

thread_local! {
    static LOG: RefCell<Vec<i32>> = const { RefCell::new(Vec::new()) };
}

/// Tells when it is cloned or dropped.
#[derive(Debug, PartialEq)]
struct Loud(i32);

impl Drop for Loud {
    fn drop(&mut self) {
        LOG.with(|log| log.borrow_mut().push(self.0));
    }
}

impl Clone for Loud {
    fn clone(&self) -> Loud {
        LOG.with(|log| log.borrow_mut().push(100 + self.0));
        Loud(self.0 + 50)
    }
}

fn log() -> Vec<i32> {
    LOG.with(|log| std::mem::take(&mut *log.borrow_mut()))
}

fn louds(n: i32) -> Vec<Loud> {
    (0..n).map(Loud).collect()
}

pub fn the_last_copy_is_the_value_itself() -> String {
    log();
    let made = (vec![Loud(1); 3], vec![Loud(2); 0], std::iter::repeat_n(Loud(3), 2).collect::<Vec<_>>());
    let first = log();
    let mut v = louds(2);
    v.resize(4, Loud(7));
    v[1..].fill(Loud(8));
    let mut q: VecDeque<Loud> = louds(1).into();
    q.resize(3, Loud(9));
    format!("{first:?} {:?} {made:?} {v:?} {q:?}", log())
}

pub fn elements_are_cloned_into_their_places() -> String {
    log();
    let mut v = louds(4);
    v.clone_from(&louds(2));
    let shorter = log();
    v.clone_from(&louds(3));
    let longer = log();
    v[..2].clone_from_slice(&louds(2));
    format!("{shorter:?} {longer:?} {:?} {v:?}", log())
}

pub fn queues_drop_what_they_do_not_retain_last() -> String {
    log();
    let mut q: VecDeque<Loud> = louds(6).into();
    q.retain(|x| x.0 % 2 == 0);
    let retained = log();
    let mut l: LinkedList<Loud> = louds(3).into_iter().collect();
    l.extract_if(|x| x.0 == 2).count();
    format!("{retained:?} {:?} {q:?} {l:?}", log())
}

pub fn what_is_not_extracted_stays() -> String {
    log();
    let mut v = louds(5);
    let first = v.extract_if(1.., |x| x.0 % 2 == 1).next();
    let mut m = BTreeMap::from([(1, Loud(1)), (2, Loud(2)), (3, Loud(3))]);
    m.extract_if(.., |k, _| *k < 3).next();
    format!("{:?} {first:?} {v:?} {m:?}", log())
}

pub fn items_that_are_kept_for_later() -> String {
    log();
    let grown: Vec<Loud> =
        std::iter::successors(Some(Loud(0)), |x| (x.0 < 2).then(|| Loud(x.0 + 1))).collect();
    let mut items = louds(3).into_iter().peekable();
    let peeked = items.peek().map(|x| x.0);
    let taken = (items.next_if(|x| x.0 == 5), items.next_if(|x| x.0 == 0), items.next_back());
    drop(items);
    format!("{:?} {grown:?} {peeked:?} {taken:?}", log())
}

pub fn cells_of_what_is_dropped() -> String {
    log();
    let mut cell = Cell::new(Some(Loud(1)));
    cell.set(Some(Loud(2)));
    let taken = cell.take();
    cell.set(taken);
    let other = Cell::new(Some(Loud(3)));
    cell.swap(&other);
    let old = cell.replace(None);
    let before = log();
    *cell.get_mut() = Some(Loud(4));
    let mut list = Cell::new(vec![1]);
    list.get_mut().push(2);
    let once = OnceCell::from(Loud(5));
    let refused = once.set(Loud(6));
    drop((cell, other));
    format!("{before:?} {:?} {old:?} {refused:?} {:?} {:?}", log(), list.take(), once.get())
}

pub fn shared_rows_are_copied_when_written() -> String {
    log();
    let mut row: Rc<[Loud]> = Rc::from([Loud(1), Loud(2)]);
    let other = row.clone();
    Rc::make_mut(&mut row)[0].0 = 9;
    let copied = log();
    Rc::make_mut(&mut row)[1].0 = 8;
    let text: Rc<str> = String::from("zz").into_boxed_str().into();
    let numbers: Rc<[i32]> = Rc::from(&[1, 2][..]);
    format!("{copied:?} {:?} {row:?} {other:?} {text} {numbers:?}", log())
}
