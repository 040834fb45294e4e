//! Iterators that know their end, and what is shown in which form.

use std::fmt::{self, Formatter};
use std::iter;
use std::net::Ipv4Addr;
use std::ops::ControlFlow;

pub fn iterators_that_know_their_end() -> String {
    let few = iter::repeat(3).take(4);
    let lens = (few.len(), iter::repeat_with(|| 1).take(3).len(), iter::once_with(|| 1).len());
    let back = (few.rev().collect::<Vec<_>>(), iter::once_with(|| 5).rev().next());
    format!(
        "{lens:?} {back:?} {} {}",
        [1, -2, 3].iter().is_sorted_by_key(|x| i32::abs(*x)),
        [2, 1].iter().is_sorted_by_key(|x| *x)
    )
}

pub fn tuples_collect() -> String {
    let triples = [(1, 2.5, 'a'), (3, 4.5, 'b')];
    let (a, b, c): (Vec<i32>, Vec<f64>, String) = triples.into_iter().collect();
    let mut four = (vec![0], vec![0], String::new(), Vec::new());
    four.extend([(1, 2, 'x', 0.5)]);
    format!("{a:?} {b:?} {c} {four:?}")
}

pub fn iterators_are_shown() -> String {
    let xs = [1, 2, 3];
    let mut peeked = xs.iter().peekable();
    peeked.peek();
    let copies = format!("{:?} {:?} {:?}", xs.iter().copied(), xs.iter().cloned(), peeked);
    format!(
        "{copies} {:?} {:?} {:?} {:?}",
        xs.iter().zip(&xs),
        iter::zip(1.., xs.iter()),
        "ab".bytes(),
        xs.iter().step_by(2)
    )
}

struct Open(u8);

impl fmt::Debug for Open {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.debug_list().entries([1, 2]).finish_non_exhaustive(),
            1 => f.debug_tuple("Open").field(&1).finish_non_exhaustive(),
            2 => f.debug_map().entry(&1, &"a").key(&2).value(&'b').finish_non_exhaustive(),
            3 => f.debug_set().finish_non_exhaustive(),
            4 => f.debug_map().finish_non_exhaustive(),
            5 => f.debug_tuple("Open").finish_non_exhaustive(),
            _ => f.debug_map().key(&1).value(&[2]).entries([(3, [4])]).finish(),
        }
    }
}

pub fn what_has_more_than_is_shown() -> String {
    let all = (0..7).map(Open).collect::<Vec<_>>();
    format!("{all:?} {all:#?}")
}

struct KeyAlone;

impl fmt::Debug for KeyAlone {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_map().key(&1).finish()
    }
}

pub fn a_key_without_a_value() -> String {
    format!("{KeyAlone:?}")
}

struct Asked;

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", f.sign_minus(), f.sign_plus(), f.sign_aware_zero_pad())
    }
}

#[derive(Debug)]
struct Raw {
    r#in: i32,
    out: i32,
}

pub fn signs_and_raw_names() -> String {
    format!("{Asked} {Asked:-} {Asked:+} {Asked:-05} {:-} {:?}", 5, Raw { r#in: 1, out: 2 })
}

fn small(x: i32) -> ControlFlow<String, i32> {
    if x > 2 { ControlFlow::Break(format!("{x} is large")) } else { ControlFlow::Continue(x * 10) }
}

fn all_small(xs: &[i32]) -> ControlFlow<String> {
    let mut sum = 0;
    for x in xs {
        sum += small(*x)?;
    }
    if sum > 20 {
        ControlFlow::Break(sum.to_string())?
    }
    ControlFlow::Continue(())
}

pub fn control_flow_is_asked() -> String {
    let in_closure = |x| {
        let y = small(x)?;
        ControlFlow::Continue(y + 1)
    };
    let mapped = (small(1).map_continue(|x| x + 1), small(3).map_break(|text| text.len()));
    format!(
        "{:?} {:?} {:?} {:?} {mapped:?}",
        all_small(&[1]),
        all_small(&[1, 5]),
        all_small(&[2, 2]),
        in_closure(2)
    )
}

pub fn addresses() -> String {
    let parsed = ["127.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4 ", "256.1.1.1", "", "1.2.3.4.5", "+1.2.3.4"]
        .map(|text| text.parse::<Ipv4Addr>().map_err(|error| error.to_string()));
    let a = Ipv4Addr::new(10, 0, 0, 1);
    let kinds = (a.is_private(), a.is_loopback(), a.is_multicast(), Ipv4Addr::LOCALHOST.is_loopback());
    let bits = (u32::from(a), Ipv4Addr::from(5), Ipv4Addr::from([1, 2, 3, 4]), a.to_bits(), a.octets());
    format!(
        "{parsed:?} {kinds:?} {bits:?} {:>12}|{} {:?}",
        a,
        a < Ipv4Addr::new(10, 0, 1, 0),
        Ipv4Addr::BROADCAST
    )
}
