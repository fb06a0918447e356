/** The Price List where it does not answer, or not to its end; and where it is asked. */
import { GetProductsCommand, PricingClient } from '@aws-sdk/client-pricing';
import { mockClient } from 'aws-sdk-client-mock';
import { getPrices } from '../../../adapters/aws/get-prices.ts';
import { priceListRegion } from '../../../adapters/aws/session.ts';
import { AccessDenied, Throttled, Unreadable } from '../../../core/errors.ts';
import { instanceRowText } from '../../fixtures/price-rows.ts';
import { answerInTurn } from './answer-in-turn.ts';
import { awsError } from './aws-error.ts';

const pricing = mockClient(PricingClient);
const client = new PricingClient({ region: 'us-east-1' });
beforeEach(() => {
  pricing.reset();
});

test.each([
  [awsError('AccessDeniedException', 'User is not authorized to perform: pricing:GetProducts'), AccessDenied],
  [awsError('ThrottlingException', 'Rate exceeded'), Throttled],
  [awsError('InvalidParameterException', 'Input Parameters are invalid.'), Unreadable],
])('%s is one of ours, and names the call', async (error, kind) => {
  pricing.on(GetProductsCommand).rejects(error);
  const failed = await getPrices(client, 'us-east-2').catch((thrown: unknown) => thrown as Error);
  expect(failed.constructor).toBe(kind);
  expect((failed as Error).message).toContain('pricing:GetProducts of us-east-2 failed');
});

test.each(['not JSON', '{"product":{}}'])('a row that is %s makes the reply Unreadable', async (row) => {
  pricing.on(GetProductsCommand).resolves({ PriceList: [row] });
  await expect(getPrices(client, 'us-east-2')).rejects.toThrow(Unreadable);
});

test('the same NextToken five times is no list: half of it is not taken as the whole', async () => {
  const page = { PriceList: [instanceRowText('m7i.large', '0.1008000000')], NextToken: 'again' };
  const asked = answerInTurn(pricing.on(GetProductsCommand), [page, page, page, page, page]);
  const reading = getPrices(client, 'us-east-2');
  await expect(reading).rejects.toThrow(Unreadable);
  await expect(reading).rejects.toThrow(
    'pricing:GetProducts of us-east-2 failed: Error: the same NextToken came 5 times in 5 pages: its list has no end',
  );
  expect(asked).toHaveLength(5);
});

test.each([
  ['us-east-1', 'us-east-1'],
  ['us-west-2', 'us-east-1'],
  ['ca-central-1', 'us-east-1'],
  ['eu-west-3', 'eu-central-1'],
  ['me-south-1', 'eu-central-1'],
  ['ap-northeast-1', 'ap-south-1'],
  ['cn-north-1', 'cn-northwest-1'],
])('prices of %s are asked for in %s', (region, where) => {
  expect(priceListRegion(region)).toBe(where);
});
