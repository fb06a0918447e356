/** A part of the simulated fleet: small enough for hundreds of audits, with troubles of several kinds. */
import { simulateFleet } from '../simulator/fleet.ts';

export interface SmallFleet {
  region: string;
  startEpochSeconds: number;
  endEpochSeconds: number;
  describeVolumes: { Volumes: DescribedVolume[] };
  describeInstances: { Reservations: { Instances: DescribedInstance[] }[] };
  getMetricData: { Messages: []; MetricDataResults: MetricResult[] };
}

interface Tagged {
  Tags?: { Key: string; Value: string }[];
}
interface DescribedVolume extends Tagged {
  VolumeId: string;
  Attachments: { InstanceId?: string }[];
}
interface DescribedInstance extends Tagged {
  InstanceId: string;
}
interface MetricResult {
  Label: string;
}

const region = 'us-east-1';
/** Throttled volumes, micro-bursts, an instance's limit and its credits, and one without trouble. */
const names = ['orders-db', 'broker-us', 'pricing', 'gateway', 'refill-us', 'etl'];

const nameOf = ({ Tags }: Tagged): string => Tags?.find(({ Key }) => Key === 'Name')?.Value ?? '';

/** @param endEpochSeconds a whole hour: the end of its 26 hours. */
export function smallFleet(endEpochSeconds: number): SmallFleet {
  const fleet = simulateFleet({ endEpochSeconds });
  const all = fleet.regions.find((one) => one.region === region) as unknown as SmallFleet;
  const reservations = all.describeInstances.Reservations.filter(({ Instances }) =>
    Instances.some((instance) => names.includes(nameOf(instance))),
  );
  const instanceIds = new Set(
    reservations.flatMap(({ Instances }) => Instances.map(({ InstanceId }) => InstanceId)),
  );
  const volumes = all.describeVolumes.Volumes.filter(({ Attachments }) =>
    Attachments.some(({ InstanceId }) => instanceIds.has(InstanceId ?? '')),
  );
  const ids = [...instanceIds, ...volumes.map(({ VolumeId }) => VolumeId)];
  return {
    region,
    startEpochSeconds: fleet.startEpochSeconds,
    endEpochSeconds: fleet.endEpochSeconds,
    describeVolumes: { Volumes: volumes },
    describeInstances: { Reservations: reservations },
    getMetricData: {
      Messages: [],
      MetricDataResults: all.getMetricData.MetricDataResults.filter(({ Label }) =>
        ids.some((id) => Label.includes(id)),
      ),
    },
  };
}
