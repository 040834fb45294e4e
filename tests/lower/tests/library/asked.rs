//! How often iterators ask the ones below for items, which closures with effects can tell.

use std::cell::Cell;

fn cnt<I: Iterator>(i: I) -> usize {
    let mut n = 0;
    for _ in i {
        n += 1;
    }
    n
}
pub fn a_loop_over_a_zip_asks_no_side_of_slices_for_more_than_both_have() -> String {
    fn all() -> Vec<i32> {
        let v = vec![1, 2, 3, 4, 5];
        let w = vec![1, 2];
        let c = Cell::new(0);
        let b = |_: &i32| c.set(c.get() + 1);
        let mut o = vec![];
        let mut t = |o: &mut Vec<i32>| {
            o.push(c.get());
            c.set(0);
        };
        cnt(v.iter().inspect(|x| b(x)).zip(&w));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip(&w));
        t(&mut o);
        cnt(v.iter().copied().map(|x| b(&x)).zip(&w));
        t(&mut o);
        cnt(v.iter().enumerate().map(|x| b(x.1)).zip(&w));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).rev().zip(&w));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).take(4).zip(&w));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).skip(1).zip(&w));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip(w.iter().rev()));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip(w.iter().take(1)));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip(w.chunks(1)));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip(w.windows(2)));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip(0..2));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip(0..2u64));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip(0..2u128));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip(0..=1));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip('a'..'c'));
        t(&mut o);
        cnt((0..5).map(|x| b(&x)).zip(&w));
        t(&mut o);
        cnt((0..5).map(|x| b(&x)).zip(0..3));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip("ab".bytes()));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip("ab".chars()));
        t(&mut o);
        cnt(v.clone().into_iter().map(|x| b(&x)).zip(&w));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip(w.clone()));
        t(&mut o);
        cnt([1, 2, 3].into_iter().map(|x| b(&x)).zip([1]));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).chain(v.iter().map(|x| b(x))).zip(&w));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).fuse().zip(&w));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).peekable().zip(&w));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).step_by(2).zip(&w));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).by_ref().zip(&w));
        t(&mut o);
        cnt(v
            .iter()
            .filter(|x| {
                b(x);
                true
            })
            .zip(&w));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip(Some(1)));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip(std::iter::once(3)));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip(v.iter().zip(&w)));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip(v.iter().map(|x| b(x)).zip(&w)));
        t(&mut o);
        cnt(v.iter().map(|x| b(x)).zip(v.iter().cycle().take(1)));
        t(&mut o);
        o
    }
    format!("{:?}", all())
}

pub fn what_folds_a_zip_asks_no_side_of_known_length_for_more_than_both_have() -> String {
    fn all() -> Vec<i32> {
        let v = vec![1, 2, 3, 4, 5];
        let w = vec![1, 2];
        let c = Cell::new(0);
        let b = |_: &i32| c.set(c.get() + 1);
        let mut o = vec![];
        let mut t = |o: &mut Vec<i32>| {
            o.push(c.get());
            c.set(0);
        };
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).count();
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).for_each(drop);
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).last();
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).fold(0, |_, _| 0);
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).map(|x| x.1).sum::<i32>();
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).collect::<Vec<_>>();
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).filter(|_| true).count();
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).filter(|_| true).collect::<Vec<_>>();
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).max_by_key(|x| x.1);
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).max_by(|a, b| a.1.cmp(&b.1));
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).reduce(|a, _| a);
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).all(|_| true);
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).position(|_| false);
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).unzip::<_, _, Vec<_>, Vec<_>>();
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).partition::<Vec<_>, _>(|_| true);
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).try_fold(0, |_, _| Some(1));
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).enumerate().count();
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).skip(1).count();
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).take(9).count();
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).chain(None).count();
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).flat_map(|x| Some(x)).count();
        t(&mut o);
        v.clone()
            .into_iter()
            .map(|x| b(&x))
            .zip(w.clone())
            .map(|x| x.1)
            .collect::<std::collections::BTreeSet<_>>();
        t(&mut o);
        v.clone()
            .into_iter()
            .map(|x| b(&x))
            .zip(w.clone())
            .map(|x| x.1)
            .collect::<std::collections::HashSet<_>>();
        t(&mut o);
        v.clone()
            .into_iter()
            .map(|x| b(&x))
            .zip(w.clone())
            .map(|x| x.1)
            .collect::<std::collections::VecDeque<_>>();
        t(&mut o);
        v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).map(|x| x.1.to_string()).collect::<String>();
        t(&mut o);
        let mut e = vec![9];
        e.extend(v.clone().into_iter().map(|x| b(&x)).zip(w.clone()).map(|x| x.1));
        t(&mut o);
        (0..9).map(|x| b(&x)).chain([()]).zip(0..=2).count();
        t(&mut o);
        (0..9).map(|x| b(&x)).take(7).zip(0..=2).count();
        t(&mut o);
        v.iter().map(|x| b(x)).zip("ab".chars()).count();
        t(&mut o);
        std::iter::repeat_with(|| b(&1)).zip(w.iter().rev()).count();
        t(&mut o);
        (0..).map(|x| b(&x)).zip(w.iter().rev()).count();
        t(&mut o);
        let mut it = v.iter().map(|x| b(x));
        it.by_ref().zip(w.iter()).count();
        t(&mut o);
        it.count();
        t(&mut o);
        v.iter().map(|x| b(x)).zip(w.iter().rev()).is_sorted_by(|_, _| true);
        t(&mut o);
        v.iter()
            .map(|x| b(x))
            .zip(w.iter().rev())
            .map(|x| Ok::<_, ()>(x.1))
            .collect::<Result<Vec<_>, _>>()
            .unwrap();
        t(&mut o);
        v.iter().map(|x| b(x)).zip(w.iter().rev()).map(|x| Some(*x.1)).sum::<Option<i32>>();
        t(&mut o);
        o
    }
    format!("{:?}", all())
}

pub fn a_zip_from_behind_drops_what_has_no_partner_once() -> String {
    fn all() -> Vec<i32> {
        let v = vec![1, 2, 3, 4, 5];
        let w = vec![1, 2];
        let c = Cell::new(0);
        let b = |x: &i32| {
            c.set(c.get() * 10 + *x);
            *x
        };
        let mut o = vec![];
        let mut t = |o: &mut Vec<i32>| {
            o.push(c.get());
            c.set(0);
        };
        {
            let mut z = v.iter().map(|x| b(x)).zip(&w);
            z.next_back();
            t(&mut o);
            z.next();
            t(&mut o);
            z.next_back();
            t(&mut o);
        }
        {
            let mut z = v.iter().map(|x| b(x)).zip(w.iter().map(|x| b(x)));
            z.next();
            t(&mut o);
            z.next_back();
            t(&mut o);
            z.next();
            t(&mut o);
        }
        {
            let mut z = w.iter().map(|x| b(x)).zip(v.iter().map(|x| b(x)));
            z.nth(1);
            t(&mut o);
            z.nth(1);
            t(&mut o);
            z.next_back();
            t(&mut o);
        }
        v.iter().map(|x| b(x)).zip(&w).rev().count();
        t(&mut o);
        v.iter().map(|x| b(x)).zip(w.clone()).rev().count();
        t(&mut o);
        v.iter().map(|x| b(x)).zip(Vec::<i32>::new().iter()).rev().count();
        t(&mut o);
        v.iter().map(|x| b(x)).zip(Vec::<i32>::new()).rev().count();
        t(&mut o);
        v.iter().cloned().map(|x| b(&x)).zip(w.iter().enumerate().map(|x| b(x.1))).rev().collect::<Vec<_>>();
        t(&mut o);
        v.iter().map(|x| b(x)).zip(&w).zip(v.iter().map(|x| b(x))).count();
        t(&mut o);
        o
    }
    format!("{:?}", all())
}

pub fn size_hints_tell_what_is_known() -> String {
    fn all() -> Vec<(usize, Option<usize>)> {
        let v = [1, 2, 3, 4, 5];
        let mut f = v.iter().flat_map(|x| [*x; 3]);
        f.next();
        f.next_back();
        let mut g = v.iter().map(|x| Some(*x)).flatten();
        g.next();
        let mut ch = v.chunk_by(|_, _| true);
        let h = ch.size_hint();
        ch.next();
        vec![
            f.size_hint(),
            g.size_hint(),
            v.iter().flat_map(|x| [*x; 1]).size_hint(),
            v.iter().flat_map(|x| [*x; 0]).size_hint(),
            h,
            ch.size_hint(),
            "aéb c".char_indices().size_hint(),
            "a b".bytes().size_hint(),
            "a b".lines().size_hint(),
            "a b".split_whitespace().size_hint(),
            "a b".matches("a").size_hint(),
            v.splitn(2, |x| *x == 3).size_hint(),
            v.rchunks(2).size_hint(),
            v.rchunks_exact(2).size_hint(),
            std::iter::once_with(|| 3).size_hint(),
            Vec::<Vec<i32>>::new().iter().flatten().size_hint(),
            v.iter().zip("abc".chars()).size_hint(),
            (0u8..200).size_hint(),
            (0..u64::MAX).size_hint(),
            v.iter().filter_map(|x| Some(*x)).size_hint(),
            v.iter().map(|x| vec![*x]).flatten().size_hint(),
        ]
    }
    format!("{:?}", all())
}

pub fn iterators_of_different_known_lengths_differ_unasked() -> String {
    fn all() -> Vec<i32> {
        let v = vec![1, 2, 3];
        let c = Cell::new(0);
        let b = |x: &i32| {
            c.set(c.get() + 1);
            *x
        };
        let mut o = vec![];
        let mut t = |r: bool, o: &mut Vec<i32>| {
            o.push(r as i32);
            o.push(c.get());
            c.set(0);
        };
        t(v.iter().map(|x| b(x)).eq(vec![1, 2]), &mut o);
        t(v.iter().map(|x| b(x)).eq(vec![1, 2, 3]), &mut o);
        t(v.iter().map(|x| b(x)).eq(vec![1, 2, 3, 4]), &mut o);
        t(v.iter().map(|x| b(x)).ne(vec![1, 3, 3]), &mut o);
        t(v.iter().map(|x| b(x)).filter(|_| true).eq(vec![1, 2, 3, 4]), &mut o);
        t(v.iter().map(|x| b(x)).lt(vec![1, 2, 3, 4]), &mut o);
        t(v.iter().map(|x| b(x)).le(vec![1, 2]), &mut o);
        t(v.iter().map(|x| b(x)).gt(vec![1, 2]), &mut o);
        t(v.iter().map(|x| b(x)).ge(vec![1, 2, 4]), &mut o);
        t(v.iter().map(|x| b(x)).min().is_some(), &mut o);
        o
    }

    format!("{:?}", all())
}
