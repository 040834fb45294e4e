//! Elements that loop for about as long run side by side, in whichever order they are given.

use overdub_context::text;
use overdub_context::value::Array;
use overdub_lanes::{Argument, Lanes};

/// A loop of `n` rounds, each of which has a loop of as many.
const SQUARES: &str = "fn @squares(%n: u64) -> u64 {
  br ^outer(0_u64, 0_u64)
^outer(%i: u64, %sum: u64):
  %ends: bool = eq %i, %n
  br_if %ends, ^end, ^round
^round:
  br ^inner(0_u64, %sum)
^inner(%j: u64, %part: u64):
  %ended: bool = eq %j, %n
  br_if %ended, ^next, ^more
^more:
  %k: u64 = add %j, 1_u64
  %with: u64 = add %part, %i
  br ^inner(%k, %with)
^next:
  %m: u64 = add %i, 1_u64
  br ^outer(%m, %part)
^end:
  ret %sum
}";

/// What these elements give, and how often the run asked whether it goes on: once in so many blocks.
fn run(rounds: &[u64]) -> (Vec<u64>, usize) {
    let program = text::parse(SQUARES).expect("it is IR");
    let func = program.module().func("squares".into()).expect("it is lowered").expect("it is there");
    let lanes = Lanes::new(&func, &[true]).expect("it runs in lanes").interpreted();
    let mut asked = 0;
    let all = lanes.run(&[Argument::Each(Array::from_vec(rounds.to_vec()))], rounds.len(), &mut |_| {
        asked += 1;
        false
    });
    (all.expect("none fails")[0].as_slice::<u64>().expect("they are words").to_vec(), asked)
}

#[test]
fn the_order_of_elements_does_not_change_how_many_blocks_run() {
    let in_order: Vec<u64> = (0..512).map(|at| at / 8).collect();
    let mixed: Vec<u64> = (0..512).map(|at| in_order[at * 197 % 512]).collect();
    let ((sums, blocks), (mixed_sums, mixed_blocks)) = (run(&in_order), run(&mixed));
    assert!(blocks > 4, "{blocks}");
    assert_eq!(mixed_blocks, blocks);
    assert_eq!(mixed_sums, (0..512).map(|at| sums[at * 197 % 512]).collect::<Vec<_>>());
}

#[test]
fn results_lie_where_their_elements_do() {
    let mut rounds: Vec<u64> = (0..200).map(|at| at * 31 % 23).collect();
    let expected =
        |rounds: &[u64]| -> Vec<u64> { rounds.iter().map(|n| n * n * n.saturating_sub(1) / 2).collect() };
    assert_eq!(run(&rounds).0, expected(&rounds));
    rounds.reverse();
    assert_eq!(run(&rounds).0, expected(&rounds));
}
