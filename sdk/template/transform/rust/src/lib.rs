//! The transform `example`: makes an image brighter or darker, each sample by another amount.
mod sluice;

use sluice::*;

struct ExampleTransform {
    field: String,
    strength: f64,
    place: usize, // index of the image among the fields; known after describe()
}

impl Transform for ExampleTransform {
    type Context = (); // scratch memory of one worker would go here

    fn new(_: Host, options: Options) -> Result<Self> {
        Ok(ExampleTransform {
            field: options.get("field")?.string()?,
            strength: options.get("strength")?.number()?,
            place: 0,
        })
    }

    fn describe<'a>(
        &mut self,
        fields: impl Iterator<Item = Field<'a>>,
        sink: &FieldSink,
    ) -> Result<()> {
        let mut all = fields.enumerate();
        let (place, image) = match all.find(|(_, field)| field.name() == self.field) {
            Some((place, field)) if field.role() == SLUICE_FIELD_IMAGE => (place, field),
            Some(_) => fail!(SLUICE_INVALID, "field '{}' is no image", self.field),
            None => fail!(SLUICE_INVALID, "there is no field '{}'", self.field),
        };
        self.place = place;
        sink.field(image.name(), image.role(), image.spec()); // same type and shape; it replaces the input
        Ok(())
    }

    fn context(&self) -> Result<()> {
        Ok(())
    }

    /// The same key and the same fields give the same bytes: every random number comes from the key.
    fn apply(
        &self,
        _: &mut (),
        fields: &Fields,
        key: sluice_random_key,
        sink: &SampleSink,
    ) -> Result<()> {
        let from = fields.elements::<u8>(self.place)?;
        let to = sink.allocate::<u8>(0, fields.extents(self.place))?;
        let added = self.strength * 255.0 * (2.0 * f64::from(Draws::new(key).uniform()) - 1.0);
        for (to, from) in to.iter_mut().zip(from) {
            *to = (f64::from(*from) + added) as u8; // the cast clamps to 0 to 255
        }
        Ok(())
    }
}

export! { "com.acme.transform.example" => sluice::transform::<ExampleTransform> }
