//! Uses of the library that panic, each with a message of its own.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

fn three() -> Vec<i32> {
    std::hint::black_box(vec![1, 2, 3])
}

fn index() -> usize {
    std::hint::black_box(5)
}

fn zero() -> i32 {
    std::hint::black_box(0)
}

pub fn chunks_of_none() -> String {
    format!("{}", three().chunks(zero() as usize).len())
}

pub fn windows_of_none() -> String {
    format!("{}", three().windows(zero() as usize).len())
}

pub fn removes_behind() -> String {
    format!("{}", three().remove(index()))
}

pub fn inserts_behind() -> String {
    let mut v = three();
    v.insert(index(), 1);
    format!("{v:?}")
}

pub fn swap_removes_behind() -> String {
    format!("{}", three().swap_remove(index()))
}

pub fn splits_behind() -> String {
    format!("{:?}", three().split_at(index()))
}

pub fn splits_off_behind() -> String {
    format!("{:?}", three().split_off(index()))
}

pub fn clamps_wrongly() -> String {
    format!("{}", 1.0f64.clamp(index() as f64, 1.0))
}

pub fn clamps_an_integer_wrongly() -> String {
    format!("{}", 1.clamp(index(), 1))
}

pub fn steps_by_none() -> String {
    format!("{:?}", (0..9).step_by(zero() as usize))
}

pub fn copies_from_too_much() -> String {
    three().copy_from_slice(&vec![1; index()]);
    String::new()
}

pub fn drains_behind() -> String {
    format!("{:?}", three().drain(index()..).count())
}

pub fn slices_behind() -> String {
    format!("{:?}", &three()[index()..])
}

pub fn slices_too_far() -> String {
    format!("{:?}", &three()[..index()])
}

pub fn slices_backwards() -> String {
    format!("{:?}", &three()[index() - 3..1])
}

pub fn swaps_behind() -> String {
    three().swap(0, index());
    String::new()
}

pub fn rotates_too_far() -> String {
    three().rotate_left(index());
    String::new()
}

pub fn looks_up_nothing() -> String {
    let m: HashMap<i32, i32> = HashMap::new();
    format!("{}", m[&1])
}

pub fn looks_up_nothing_in_a_tree() -> String {
    let m: BTreeMap<i32, i32> = BTreeMap::new();
    format!("{}", m[&1])
}

pub fn looks_into_an_empty_queue() -> String {
    let q: VecDeque<i32> = VecDeque::new();
    format!("{}", q[0])
}

pub fn powers_overflow() -> String {
    format!("{}", 2i32.pow(35 + zero() as u32))
}

pub fn logarithm_of_zero() -> String {
    format!("{}", (zero() as u32).ilog2())
}

pub fn root_of_negative() -> String {
    format!("{}", (zero() - 1).isqrt())
}

pub fn absolute_value_overflows() -> String {
    format!("{}", (i32::MIN + zero()).abs())
}

pub fn euclid_by_zero() -> String {
    format!("{}", 1i32.rem_euclid(zero()))
}

pub fn sums_overflow() -> String {
    format!("{}", [200u8, 100].iter().sum::<u8>())
}

pub fn converts_too_much() -> String {
    format!("{}", u8::try_from(300 + zero()).unwrap())
}

pub fn parses_no_number() -> String {
    format!("{}", "x1".parse::<f64>().unwrap())
}

pub fn parses_no_integer() -> String {
    format!("{}", "".parse::<i32>().unwrap())
}

pub fn expects_a_value() -> String {
    format!("{}", three().iter().nth(9).expect("nine of three"))
}

pub fn expects_a_result() -> String {
    format!("{}", Err::<i32, _>(format!("e{}", zero())).expect("no result"))
}

pub fn unwraps_an_error_that_is_none() -> String {
    format!("{}", Ok::<i32, i32>(1).unwrap_err())
}

pub fn unwraps_none() -> String {
    format!("{}", three().iter().max_by_key(|_| 1).filter(|_| false).unwrap())
}

pub fn asserts() -> String {
    assert_eq!(zero(), 1, "they are {} and {}", 0, 1);
    String::new()
}

pub fn asserts_difference() -> String {
    assert_ne!(three(), [1, 2, 3]);
    String::new()
}

pub fn asserts_a_condition() -> String {
    assert!(three().len() == index());
    String::new()
}

pub fn never_gets_here() -> String {
    unreachable!("with {}", zero())
}

pub fn is_to_be_done() -> String {
    todo!()
}

pub fn is_not_there() -> String {
    unimplemented!("later: {}", 1)
}

pub fn digit_of_what_radix() -> String {
    format!("{:?}", '1'.to_digit(40))
}

pub fn truncates_inside_a_character() -> String {
    let mut s = String::from("é");
    s.truncate(1);
    s
}

pub fn slices_inside_a_character() -> String {
    "é"[1..].to_string()
}

pub fn divides_a_duration_by_zero() -> String {
    format!("{:?}", std::time::Duration::from_secs(1) / zero() as u32)
}

pub fn writes_while_read() -> String {
    let cell = RefCell::new(zero());
    let held = cell.borrow();
    *cell.borrow_mut() += *held;
    format!("{cell:?}")
}

pub fn reads_while_written() -> String {
    let cell = RefCell::new(three());
    let mut held = cell.borrow_mut();
    held.push(cell.borrow().len() as i32);
    format!("{held:?}")
}

pub fn upgrades_what_is_gone() -> String {
    let weak = Rc::downgrade(&Rc::new(zero()));
    format!("{}", weak.upgrade().unwrap())
}

pub fn unwraps_what_is_shared() -> String {
    let shared = Rc::new(zero());
    let other = shared.clone();
    format!("{} {other}", Rc::try_unwrap(shared).unwrap())
}
