//! Selection: the element that sorting would place at a position, with the lesser ones before it.

use super::{Side, Sorted, Sorter};

/// The largest length that is sorted entirely.
const SHORT: usize = 16;

impl Sorter<'_> {
    pub(super) fn select(&mut self, v: &mut [usize], nth: usize) -> Sorted {
        if nth == v.len() - 1 {
            let at = self.greatest(v)?;
            v.swap(at, nth);
            Ok(())
        } else if nth == 0 {
            let at = self.least(v)?;
            v.swap(at, nth);
            Ok(())
        } else {
            self.select_by_pivots(v, nth)
        }
    }

    fn least(&mut self, v: &[usize]) -> Sorted<usize> {
        let mut found = 0;
        for at in 1..v.len() {
            if self.less(v[at], v[found])? {
                found = at;
            }
        }
        Ok(found)
    }

    fn greatest(&mut self, v: &[usize]) -> Sorted<usize> {
        let mut found = 0;
        for at in 1..v.len() {
            if self.less(v[found], v[at])? {
                found = at;
            }
        }
        Ok(found)
    }

    fn select_by_pivots(&mut self, mut v: &mut [usize], mut nth: usize) -> Sorted {
        let mut least: Option<usize> = None;
        for _ in 0..16 {
            if v.len() <= SHORT {
                return if v.len() < 2 { Ok(()) } else { self.insert_from(v, 1) };
            }
            let at = self.pivot(v)?;
            if let Some(pivot) = least
                && !self.less(pivot, v[at])?
            {
                let after = self.divide(v, at, Side::NotGreater)? + 1;
                if after > nth {
                    return Ok(());
                }
                v = &mut v[after..];
                nth -= after;
                least = None;
                continue;
            }
            let mid = self.divide(v, at, Side::Less)?;
            if mid == nth {
                return Ok(());
            }
            if mid < nth {
                least = Some(v[mid]);
                v = &mut v[mid + 1..];
                nth -= mid + 1;
            } else {
                v = &mut v[..mid];
            }
        }
        if v.len() <= SHORT {
            return if v.len() < 2 { Ok(()) } else { self.insert_from(v, 1) };
        }
        self.select_by_medians(v, nth)
    }

    /// Selection in linear time for any elements: pivots are medians of medians.
    fn select_by_medians(&mut self, mut v: &mut [usize], mut nth: usize) -> Sorted {
        loop {
            if v.len() <= SHORT {
                return if v.len() < 2 { Ok(()) } else { self.insert_from(v, 1) };
            }
            if nth == v.len() - 1 || nth == 0 {
                return self.select(v, nth);
            }
            let at = self.divide_by_ninthers(v)?;
            if at == nth {
                return Ok(());
            }
            if at > nth {
                v = &mut v[..at];
            } else {
                v = &mut v[at + 1..];
                nth -= at + 1;
            }
        }
    }

    fn divide_by_ninthers(&mut self, v: &mut [usize]) -> Sorted<usize> {
        let len = v.len();
        let count = match len {
            ..=1024 => len / 12,
            1025..=131_072 => len / 64,
            _ => len / 1024,
        };
        let middle = count / 2;
        let low = len / 2 - middle;
        let high = count + low;
        let gap = (len - 9 * count) / 4;
        let (mut a, mut b) = (low - 4 * count - gap, high + gap);
        for i in low..high {
            self.ninther(v, [a, i - count, b, a + 1, i, b + 1, a + 2, i + count, b + 2])?;
            a += 3;
            b += 3;
        }
        self.select_by_medians(&mut v[low..low + count], middle)?;
        self.divide(v, low + middle, Side::Less)
    }

    /// Places the median of three medians of three in the middle.
    fn ninther(&mut self, v: &mut [usize], [a, b, c, mut d, e, mut f, g, h, i]: [usize; 9]) -> Sorted {
        let mut b = self.median_at(v, a, b, c)?;
        let mut h = self.median_at(v, g, h, i)?;
        if self.less(v[h], v[b])? {
            std::mem::swap(&mut b, &mut h);
        }
        if self.less(v[f], v[d])? {
            std::mem::swap(&mut d, &mut f);
        }
        if self.less(v[e], v[d])? {
            // `d` is the median of its three elements.
        } else if self.less(v[f], v[e])? {
            d = f;
        } else {
            if self.less(v[e], v[b])? {
                v.swap(e, b);
            } else if self.less(v[h], v[e])? {
                v.swap(e, h);
            }
            return Ok(());
        }
        if self.less(v[d], v[b])? {
            d = b;
        } else if self.less(v[h], v[d])? {
            d = h;
        }
        v.swap(d, e);
        Ok(())
    }

    fn median_at(&mut self, v: &[usize], a: usize, b: usize, c: usize) -> Sorted<usize> {
        let (a, c) = if self.less(v[c], v[a])? { (c, a) } else { (a, c) };
        if self.less(v[c], v[b])? {
            return Ok(c);
        }
        Ok(if self.less(v[b], v[a])? { a } else { b })
    }
}
