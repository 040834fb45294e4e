//! Parts of slices that are arrays, that can be written, or that are found when they are asked for.

use std::slice::{RChunksMut, SplitMut};

pub fn parts_as_arrays() -> String {
    let mut v = vec![1, 2, 3, 4, 5];
    *v.first_chunk_mut::<2>().unwrap() = [8, 9];
    v.last_chunk_mut::<1>().unwrap()[0] += 2;
    if let Some(([a, b], rest)) = v.split_first_chunk_mut() {
        *a += rest[0];
        rest[2] = *b;
    }
    if let Some((rest, [a])) = v.split_last_chunk_mut::<1>() {
        std::mem::swap(&mut rest[0], a);
    }
    let none = (v.first_chunk_mut::<9>().is_none(), v.split_last_chunk_mut::<6>().is_none());
    format!("{v:?} {none:?} {:?} {:?}", v.as_array::<5>(), v.as_array::<2>())
}

pub fn rows_of_slices() -> String {
    let mut v = [1, 2, 3, 4, 5];
    let (rows, rest) = v.as_chunks_mut::<2>();
    rows[1][0] = 9;
    rows.swap(0, 1);
    rest[0] = 7;
    let (rest, rows) = v.as_rchunks_mut::<2>();
    rows[0][1] += rest[0];
    let mut m = [[1, 2], [3, 4]];
    m.as_flattened_mut()[2] = 9;
    m.each_mut().map(|row| row[1] += 1);
    let empty = [0; 0].as_mut_slice().as_chunks_mut::<3>().0.len();
    format!(
        "{v:?} {:?} {:?} {m:?} {:?} {empty}",
        v.as_rchunks::<3>(),
        v.as_chunks::<4>(),
        vec![[1, 2], [3, 4]].into_flattened()
    )
}

pub fn rows_of_nothing() -> String {
    format!("{:?}", [1, 2].as_chunks::<0>())
}

pub fn places_that_do_not_meet() -> String {
    let mut v = [1, 2, 3, 4];
    if let Ok([a, b]) = v.get_disjoint_mut([0..2, 2..3]) {
        a[1] = b[0];
    }
    if let Ok([a, b]) = v.get_disjoint_mut([0, 3]) {
        std::mem::swap(a, b);
    }
    let same = v.get_disjoint_mut([0..=1, 1..=2]).map_err(|error| error.to_string()).is_err();
    format!("{v:?} {same} {:?}", [1, 2].get_disjoint_mut([0..1, 1..3]).map_err(|error| error.to_string()))
}

fn cleared<'a>(parts: SplitMut<'a, i32, fn(&i32) -> bool>) -> usize {
    parts.map(|part| std::mem::replace(part.first_mut().unwrap_or(&mut 0), 5) as usize).sum()
}

fn lengths(chunks: RChunksMut<'_, i32>) -> Vec<usize> {
    chunks.map(|chunk| chunk.len()).collect()
}

pub fn parts_that_can_be_written() -> String {
    let mut v = [1, 0, 2, 0, 3, 3, 1];
    v.split_inclusive_mut(|x| *x == 0).for_each(|part| part[0] = 9);
    v.split_inclusive_mut(|x| *x == 0).rev().take(1).for_each(|part| part[0] += 1);
    v.splitn_mut(2, |x| *x == 0).enumerate().for_each(|(i, part)| part[0] += i as i32);
    v.rsplitn_mut(2, |x| *x == 0).enumerate().for_each(|(i, part)| part[0] -= i as i32);
    v.rsplit_mut(|x| *x == 0).take(1).for_each(|part| part.reverse());
    v.chunk_by_mut(|a, b| a <= b).rev().enumerate().for_each(|(i, run)| run[0] += i as i32);
    let before = v;
    let mut exact = v.rchunks_exact_mut(2);
    let len = exact.len();
    exact.by_ref().for_each(|chunk| chunk[1] = 0);
    exact.into_remainder()[0] = 8;
    let mut chunks = v.rchunks_mut(3);
    chunks.next_back().unwrap()[0] = 4;
    let lens = lengths(chunks);
    let sum = cleared(v.split_mut(|x| *x == 0));
    format!("{before:?} {v:?} {len} {lens:?} {sum}")
}

pub fn parts_are_asked_for_one_by_one() -> String {
    let v = [1, 0, 2, 0, 3];
    let mut log = Vec::new();
    let mut zero = |x: &i32| {
        log.push(*x);
        *x == 0
    };
    let back =
        (v.rsplit(&mut zero).next(), v.rsplitn(2, &mut zero).next(), v.split_inclusive(&mut zero).next());
    let mut w = v;
    let first = w.split_mut(&mut zero).next().map(|part| part.len());
    let all = (
        v.rsplitn(2, |x| *x == 0).collect::<Vec<_>>(),
        v.split_inclusive(|x| *x == 0).rev().collect::<Vec<_>>(),
    );
    format!("{back:?} {first:?} {all:?} {log:?} {:?}", [0; 0].split_inclusive(|x| *x == 0).next())
}
