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

macro_rules! tuples {
    ($($($A:ident $E:ident $a:ident $at:tt)*;)*) => {$(
        impl<$($A, $E),*> Extend<($($A),*)> for ($($E),*)
        where
            $($E: Extend<$A>),*
        {
            fn extend<I: IntoIterator<Item = ($($A),*)>>(&mut self, iter: I) {
                for ($($a),*) in iter {
                    $(self.$at.extend(Some($a));)*
                }
            }
        }

        impl<$($A, $E),*> FromIterator<($($A),*)> for ($($E),*)
        where
            $($E: Default + Extend<$A>),*
        {
            fn from_iter<I: IntoIterator<Item = ($($A),*)>>(iter: I) -> ($($E),*) {
                let mut all = ($($E::default()),*);
                all.extend(iter);
                all
            }
        }
    )*};
}

#[impls(Extend, FromIterator)]
tuples! {
    A EA a 0 B EB b 1 C EC c 2;
    A EA a 0 B EB b 1 C EC c 2 D ED d 3;
    A EA a 0 B EB b 1 C EC c 2 D ED d 3 E EE e 4;
    A EA a 0 B EB b 1 C EC c 2 D ED d 3 E EE e 4 F EF f 5;
}
