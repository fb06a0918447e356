/** What is asked of a plan: the need first, what stands today, the instance, and behind "More" the limits. */
import { useMemo, useState } from 'preact/hooks';
import type { RegionCatalogs } from '../../core/catalog/region-catalog.ts';
import { figure } from '../../core/figures.ts';
import { layoutTextForm } from '../../core/plan/layout-text.ts';
import { kibFromMiB, mibFromKiB } from '../../core/units.ts';
import { CheckField, ChoiceField, ChoicesField, NumberField, Questions, TextField } from '../form.tsx';
import { RegionField } from '../region-field.tsx';
import type { TabProps } from '../tab.ts';
import { labels } from './page-naming.ts';
import { chunkChoices, type PlanState, planRanges, typeChoices } from './plan-state.ts';

type Props = TabProps<PlanState>;

const bounds = (name: keyof typeof planRanges): { min: number; max: number } => ({
  min: planRanges[name][0],
  max: planRanges[name][1],
});

interface WordFieldProps {
  label: string;
  value: string;
  placeholder: string;
  hint: string;
  suggestions?: readonly string[];
  onChange: (value: string) => void;
}

/** A layout or the name of a type: small letters, figures and a few signs. */
const WordField = ({ value, onChange, ...field }: WordFieldProps) => (
  <TextField {...field} text={value} onText={(text) => onChange(text.trim().toLowerCase())} />
);

const rateTexts = [
  { value: 'iops', text: 'IOPS' },
  { value: 'throughput', text: 'MiB/s' },
  { value: 'both', text: 'both' },
  { value: 'none', text: 'neither' },
] as const;

/** What follows of the other rate. */
function followsText({ rates, iops, throughputMiBps, ioSizeKiB }: PlanState): string {
  if (rates === 'iops')
    return `${figure(mibFromKiB(iops * ioSizeKiB))} MiB/s at ${figure(ioSizeKiB)} KiB an I/O`;
  return `${figure(kibFromMiB(throughputMiBps) / ioSizeKiB, 0)} IOPS at ${figure(ioSizeKiB)} KiB an I/O`;
}

function Need({ state, change }: Props) {
  const { rates } = state;
  const hint = rates === 'both' ? '' : followsText(state);
  return (
    <Questions name="The load needs">
      <ChoiceField
        label="Rates given"
        look="radios"
        value={rates}
        choices={rateTexts}
        onChange={(next) => change({ rates: next })}
      />
      {rates === 'iops' || rates === 'both' ? (
        <NumberField
          label={labels.iops}
          value={state.iops}
          scale="log"
          step={0}
          hint={hint}
          {...bounds('iops')}
          onChange={(iops) => change({ iops })}
        />
      ) : null}
      {rates === 'throughput' || rates === 'both' ? (
        <NumberField
          label={labels.throughputMiBps}
          value={state.throughputMiBps}
          scale="log"
          step={0}
          hint={hint}
          {...bounds('throughputMiBps')}
          onChange={(throughputMiBps) => change({ throughputMiBps })}
        />
      ) : null}
      <NumberField
        label={labels.capacityGiB}
        unit="GiB"
        value={state.capacityGiB}
        scale="log"
        step={0}
        {...bounds('capacityGiB')}
        onChange={(capacityGiB) => change({ capacityGiB })}
      />
      <NumberField
        label={labels.ioSizeKiB}
        unit="KiB"
        value={state.ioSizeKiB}
        scale="log"
        step={0}
        {...bounds('ioSizeKiB')}
        onChange={(ioSizeKiB) => change({ ioSizeKiB })}
      />
      <NumberField
        label="Reads"
        unit="%"
        value={state.readPercent}
        step={0}
        {...bounds('readPercent')}
        onChange={(readPercent) => change({ readPercent })}
      />
      <ChoiceField
        label={labels.access}
        look="radios"
        value={state.access}
        choices={[
          { value: 'random', text: 'random' },
          { value: 'sequential', text: 'sequential' },
        ]}
        onChange={(access) => change({ access })}
      />
    </Questions>
  );
}

interface TypedProps extends Props {
  instanceTypes: readonly string[];
}

const joinedTexts = [
  { value: 'unknown', text: 'not known' },
  { value: 'lvm', text: 'LVM' },
  { value: 'mdadm', text: 'mdadm' },
] as const;

function Today({ state, change, instanceTypes }: TypedProps) {
  return (
    <Questions name="Today">
      <WordField
        label={labels.current}
        value={state.current}
        placeholder="gp2:500"
        hint={`Leave it empty for new volumes. Else, for example, gp2:500 or 4xgp3:250:3000:125. The form is ${layoutTextForm}`}
        onChange={(current) => change({ current })}
      />
      {state.current === '' ? null : (
        <>
          {/x/.test(state.current) ? (
            <ChoiceField
              label={labels.currentBuiltWith}
              value={state.joined}
              choices={joinedTexts}
              onChange={(joined) => change({ joined })}
            />
          ) : null}
          <CheckField
            label={labels.keepCurrent}
            hint="Options have at least its IOPS, MiB/s and capacity."
            isChecked={state.keepCurrent === 'yes'}
            onChange={(isChecked) => change({ keepCurrent: isChecked ? 'yes' : 'no' })}
          />
          <WordField
            label={labels.currentInstance}
            value={state.currentInstance}
            placeholder="m7i.2xlarge"
            hint="With it: change the volumes, or the instance?"
            suggestions={instanceTypes}
            onChange={(currentInstance) => change({ currentInstance })}
          />
        </>
      )}
    </Questions>
  );
}

const instanceTexts = [
  { value: 'none', text: 'none' },
  { value: 'type', text: 'a type' },
  { value: 'choose', text: 'by size' },
] as const;

const architectureTexts = [
  { value: 'any', text: 'any' },
  { value: 'x86_64', text: 'x86_64' },
  { value: 'arm64', text: 'arm64' },
] as const;

function Instance({ state, change, instanceTypes }: TypedProps) {
  // Today's instance compares types by itself.
  if (state.current !== '' && state.currentInstance !== '') return null;
  return (
    <Questions name="Instance">
      <ChoiceField
        label="The instance that carries it"
        look="radios"
        value={state.instance}
        choices={instanceTexts}
        onChange={(instance) => change({ instance })}
      />
      {state.instance === 'type' ? (
        <WordField
          label={labels.instanceType}
          value={state.instanceType}
          placeholder="m7i.2xlarge"
          hint="Left empty, no instance is part of the plan."
          suggestions={instanceTypes}
          onChange={(instanceType) => change({ instanceType })}
        />
      ) : null}
      {state.instance === 'choose' ? (
        <>
          <NumberField
            label={labels.vcpus}
            unit="or more"
            value={state.vcpus}
            scale="log"
            {...bounds('vcpus')}
            onChange={(vcpus) => change({ vcpus })}
          />
          <NumberField
            label={labels.memoryGiB}
            unit="GiB or more"
            value={state.memoryGiB}
            scale="log"
            step={0}
            {...bounds('memoryGiB')}
            onChange={(memoryGiB) => change({ memoryGiB })}
          />
          <ChoiceField
            label={labels.architecture}
            look="radios"
            value={state.architecture}
            choices={architectureTexts}
            onChange={(architecture) => change({ architecture })}
          />
        </>
      ) : null}
    </Questions>
  );
}

const kindTexts = [
  { value: 'single', text: 'single' },
  { value: 'stripe', text: 'stripe' },
  { value: 'raid10', text: 'RAID10' },
  { value: 'raid5', text: 'RAID5' },
] as const;

function Limits({ state, change }: Props) {
  return (
    <Questions name="Limits">
      <ChoicesField
        label={labels.kinds}
        values={state.kinds}
        choices={kindTexts}
        onChange={(kinds) => change({ kinds })}
      />
      <NumberField
        label={labels.maxMembers}
        value={state.maxMembers}
        scale="log"
        {...bounds('maxMembers')}
        onChange={(maxMembers) => change({ maxMembers })}
      />
      <NumberField
        label={labels.maxAnnualFailureRate}
        unit="%"
        value={state.maxFailurePercent}
        scale="none"
        step={0}
        {...bounds('maxFailurePercent')}
        onChange={(maxFailurePercent) => change({ maxFailurePercent })}
      />
      <ChoicesField
        label={labels.types}
        values={state.types}
        choices={typeChoices.map((value) => ({ value, text: value }))}
        onChange={(types) => change({ types })}
      />
      <NumberField
        label={labels.stripeEfficiency}
        unit="% of its members"
        value={state.stripePercent}
        scale="none"
        step={0}
        {...bounds('stripePercent')}
        onChange={(stripePercent) => change({ stripePercent })}
      />
      <ChoiceField
        label={labels.chunkKiB}
        value={state.chunkKiB}
        choices={chunkChoices.map((value) => ({ value, text: `${value} KiB` }))}
        onChange={(chunkKiB) => change({ chunkKiB })}
      />
      <ChoiceField
        label="Deployment"
        look="radios"
        value={state.deployment}
        choices={[
          { value: 'region', text: 'Region' },
          { value: 'outposts', text: 'Outposts' },
        ]}
        onChange={(deployment) => change({ deployment })}
      />
    </Questions>
  );
}

const typesOf = (regionCatalogs: RegionCatalogs, region: string): string[] =>
  regionCatalogs(region).instanceTypes.types.map(({ instanceType }) => instanceType);

export function PlanForm(props: Props) {
  const { state, change, regionCatalogs, regions } = props;
  const { region } = state;
  const instanceTypes = useMemo(() => typesOf(regionCatalogs, region), [regionCatalogs, region]);
  const [isMore, setMore] = useState(false);
  return (
    <form class="plan-form no-print" onSubmit={(event) => event.preventDefault()}>
      <Need {...props} />
      <Instance {...props} instanceTypes={instanceTypes} />
      <Today {...props} instanceTypes={instanceTypes} />
      <div class="plan-region">
        <RegionField value={region} regions={regions} onChange={(next) => change({ region: next })} />
      </div>
      <details open={isMore} onToggle={({ currentTarget }) => setMore(currentTarget.open)}>
        <summary>More: layouts, limits, types</summary>
        {isMore ? <Limits {...props} /> : null}
      </details>
    </form>
  );
}
