//! The transform of whole batches `example`: moves the images towards their mean, each batch by another amount.
mod sluice;

use sluice::*;

struct ExampleTransform {
    field: String,
    strength: f64,
    place: usize, // index of the images among the fields; known after describe()
}

impl BatchTransform for ExampleTransform {
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
        let (place, images) = match all.find(|(_, field)| field.name() == self.field) {
            Some((place, field)) if field.role() == SLUICE_FIELD_IMAGE => (place, field),
            Some(_) => fail!(SLUICE_INVALID, "field '{}' is no image", self.field),
            None => fail!(SLUICE_INVALID, "there is no field '{}'", self.field),
        };
        self.place = place;
        // It is changed in place, so its type and shape stay.
        sink.field(images.name(), images.role(), images.spec());
        Ok(())
    }

    fn context(&self) -> Result<()> {
        Ok(())
    }

    /// The same key and the same batch give the same bytes: every random number comes from the key.
    fn apply(&self, _: &mut (), batch: &mut Batch, key: sluice_random_key) -> Result<()> {
        let samples = batch.extents(self.place)[0] as usize;
        let data = batch.elements_mut::<u8>(self.place)?;
        let bytes = data.len() / samples; // of a sample
        let share = self.strength * f64::from(Draws::new(key).uniform());
        for i in 0..bytes {
            let sum: f64 = data[i..]
                .iter()
                .step_by(bytes)
                .map(|value| f64::from(*value))
                .sum();
            let pull = share * sum / samples as f64 + 0.5;
            for value in data[i..].iter_mut().step_by(bytes) {
                *value = ((1.0 - share) * f64::from(*value) + pull) as u8;
            }
        }
        Ok(())
    }
}

export! { "com.acme.transform.example" => sluice::batch_transform::<ExampleTransform> }
