/**
 * The products that the local Price List has: those of us-east-1 by the table that comes with stripewise, those of
 * eu-central-1 by the same table times a factor of ours. No price of eu-central-1 is AWS's: its version says so. Among
 * them are rows that AWS has too, and that somebody who reads prices must leave out.
 */
import usEast1 from '../../core/prices/us-east-1.json' with { type: 'json' };

export interface Product {
  attributes: Record<string, string>;
  /** As GetProducts gives it. */
  text: string;
}

interface Place {
  region: string;
  /** Before the usage types of a Region; us-east-1 has none. */
  prefix: string;
  factor: number;
  version: string;
}

/** Between what AWS asks in Virginia and in Frankfurt, about; a figure that nobody can take for a published one. */
const emulatedFactor = 1.19;

const { ebs, instances } = usEast1;
const publicationDate = `${ebs.asOf}T00:00:00Z`;

const places: readonly Place[] = [
  { region: 'us-east-1', prefix: '', factor: 1, version: 'emulated-from-the-built-in-table' },
  {
    region: 'eu-central-1',
    prefix: 'EUC1-',
    factor: emulatedFactor,
    version: `emulated-from-us-east-1-times-${emulatedFactor}`,
  },
];

interface Priced {
  family: string;
  usage: string;
  unit: string;
  usd: number;
  more?: Record<string, string>;
}

/** AWS gives ten digits after the point. */
const asPublished = (usd: number): string => usd.toFixed(10);

function product(place: Place, { family, usage, unit, usd, more = {} }: Priced): Product {
  const attributes = {
    servicecode: 'AmazonEC2',
    servicename: 'Amazon Elastic Compute Cloud',
    location: place.region,
    locationType: 'AWS Region',
    regionCode: place.region,
    usagetype: `${place.prefix}${usage}`,
    ...more,
  };
  const sku = Buffer.from(`${place.region} ${attributes.usagetype} ${JSON.stringify(more)}`).toString('hex');
  const rate = `${sku}.JRTCKXETXF`;
  const dimension = {
    unit,
    endRange: 'Inf',
    description: `$${usd} per ${unit} (emulated)`,
    appliesTo: [],
    rateCode: `${rate}.6YS6EN2CT7`,
    beginRange: '0',
    pricePerUnit: { USD: asPublished(usd * place.factor) },
  };
  const term = {
    priceDimensions: { [dimension.rateCode]: dimension },
    sku,
    effectiveDate: publicationDate,
    offerTermCode: 'JRTCKXETXF',
    termAttributes: {},
  };
  const text = JSON.stringify({
    product: { productFamily: family, attributes, sku },
    serviceCode: 'AmazonEC2',
    terms: { OnDemand: { [rate]: term } },
    version: place.version,
    publicationDate,
  });
  // What a filter can ask for, besides the attributes.
  return { attributes: { ...attributes, productFamily: family, ServiceCode: 'AmazonEC2' }, text };
}

const linux = {
  operatingSystem: 'Linux',
  preInstalledSw: 'NA',
  capacitystatus: 'Used',
  marketoption: 'OnDemand',
  tenancy: 'Shared',
};

function instanceProducts(place: Place): Product[] {
  return Object.entries(instances?.usdPerHour ?? {}).flatMap(([instanceType, usd]) => {
    const family = instanceType.includes('.metal') ? 'Compute Instance (bare metal)' : 'Compute Instance';
    const box = { family, unit: 'Hrs', usd };
    const ofType = { instanceType, ...linux };
    const plain = product(place, { ...box, usage: `BoxUsage:${instanceType}`, more: ofType });
    if (!instanceType.endsWith('.large')) return [plain];
    const blocks = {
      usage: `BoxUsage:${instanceType}`,
      usd: 0,
      more: { ...ofType, marketoption: 'CapacityBlock' },
    };
    const windows = { ...ofType, operatingSystem: 'Windows' };
    const reserved = { ...ofType, capacitystatus: 'UnusedCapacityReservation' };
    const dedicated = { ...ofType, tenancy: 'Dedicated' };
    return [
      product(place, { ...box, ...blocks }),
      product(place, { ...box, usage: `BoxUsage:${instanceType}`, usd: usd * 1.9, more: windows }),
      product(place, { ...box, usage: `UnusedBox:${instanceType}`, more: reserved }),
      product(place, { ...box, usage: `DedicatedUsage:${instanceType}`, usd: usd * 1.1, more: dedicated }),
      plain,
    ];
  });
}

function ebsProducts(place: Place): Product[] {
  const { gp2, gp3, io1, io2, st1, sc1, standard } = ebs.storagePerGiB;
  const storage = (suffix: string, usd: number, unit = 'GB-Mo'): Priced => {
    return { family: 'Storage', usage: `EBS:VolumeUsage${suffix}`, unit, usd };
  };
  const iops = (suffix: string, usd = 0): Priced => {
    return { family: 'System Operation', usage: `EBS:VolumeP-IOPS.${suffix}`, unit: 'IOPS-Mo', usd };
  };
  const [tier1, tier2, tier3] = ebs.io2PerIops;
  const ofRegion: Priced[] = [
    storage('', standard),
    storage('.gp2', gp2),
    storage('.gp3', gp3),
    storage('.piops', io1),
    storage('.io2', io2, 'GB-month'),
    storage('.st1', st1),
    storage('.sc1', sc1),
    iops('gp3', ebs.gp3PerIops),
    iops('piops', ebs.io1PerIops),
    iops('io2', tier1?.usd),
    iops('io2.tier2', tier2?.usd),
    iops('io2.tier3', tier3?.usd),
    {
      family: 'Provisioned Throughput',
      usage: 'EBS:VolumeP-Throughput.gp3',
      unit: 'GiBps-mo',
      usd: ebs.gp3PerMiBps * 1_024,
    },
    {
      family: 'System Operation',
      usage: 'EBS:VolumeIOUsage',
      unit: 'IOs',
      usd: ebs.standardPerMillionIo / 1_000_000,
    },
    {
      family: 'System Operation',
      usage: 'EBS:directAPI.snapshot.Get',
      unit: 'SnapshotAPIUnits',
      usd: 0.000_003,
    },
  ];
  const zone = { locationType: 'AWS Local Zone', location: `a local zone of ${place.region}` };
  const outposts = { locationType: 'AWS Outposts' };
  return [
    product({ ...place, prefix: 'USE1-BOS1-' }, { ...storage('.gp3', gp3 * 1.2), more: zone }),
    product(place, { ...storage('.gp2', gp2 * 1.5), more: zone }),
    product(place, { ...storage('.gp2.outposts', gp2 / 2), more: outposts }),
    ...ofRegion.map((priced) => product(place, priced)),
  ];
}

/** What each Region of the local Price List asks, as a multiple of us-east-1. */
export const emulatedPriceFactors: Readonly<Record<string, number>> = Object.fromEntries(
  places.map(({ region, factor }) => [region, factor]),
);

export const allProducts = (): Product[] =>
  places.flatMap((place) => [...ebsProducts(place), ...instanceProducts(place)]);
