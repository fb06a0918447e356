/** Whose prices: the Regions that the page has prices of. */
import { ChoiceField } from './form.tsx';

interface RegionFieldProps {
  value: string;
  /** Those with prices. */
  regions: readonly string[];
  onChange: (region: string) => void;
}

export function RegionField({ value, regions, onChange }: RegionFieldProps) {
  const isThere = regions.includes(value);
  const offered = isThere ? regions : [...regions, value];
  return (
    <ChoiceField
      label="Region, for prices"
      value={value}
      choices={offered.map((region) => ({
        value: region,
        text: regions.includes(region) ? region : `${region} (no prices here)`,
      }))}
      hint={
        isThere
          ? 'For another one give a file of its prices, at the top of the page.'
          : `The prices of ${value} are not on this page: give a file of them at the top of it.`
      }
      onChange={onChange}
    />
  );
}
