//! Collecting into types that are not collections themselves.

impl<A, V: FromIterator<A>> FromIterator<Option<A>> for Option<V> {
    fn from_iter<I: IntoIterator<Item = Option<A>>>(iter: I) -> Option<V> {
        let mut items = Vec::new();
        for item in iter {
            items.push(item?);
        }
        Some(V::from_iter(items))
    }
}

impl<A, E, V: FromIterator<A>> FromIterator<Result<A, E>> for Result<V, E> {
    fn from_iter<I: IntoIterator<Item = Result<A, E>>>(iter: I) -> Result<V, E> {
        let mut items = Vec::new();
        for item in iter {
            match item {
                Ok(x) => items.push(x),
                Err(e) => return Err(e),
            }
        }
        Ok(V::from_iter(items))
    }
}

impl FromIterator<()> for () {
    fn from_iter<I: IntoIterator<Item = ()>>(iter: I) {
        for _ in iter {}
    }
}

impl<A, B, EA, EB> Extend<(A, B)> for (EA, EB)
where
    EA: Extend<A>,
    EB: Extend<B>,
{
    fn extend<I: IntoIterator<Item = (A, B)>>(&mut self, iter: I) {
        for (a, b) in iter {
            self.0.extend(Some(a));
            self.1.extend(Some(b));
        }
    }
}

impl<A, B, EA, EB> FromIterator<(A, B)> for (EA, EB)
where
    EA: Default + Extend<A>,
    EB: Default + Extend<B>,
{
    fn from_iter<I: IntoIterator<Item = (A, B)>>(iter: I) -> (EA, EB) {
        iter.into_iter().unzip()
    }
}
