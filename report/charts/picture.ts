/** A chart as a picture: SVG that stands by itself, and PNG of it. In Node only. */
import { SVGRenderer } from 'echarts/renderers';
import { sliderPixels } from './base-option.ts';
import type { Chart } from './chart.ts';
import { init, setPlatformAPI, use } from './echarts.ts';
import { light, type Palette } from './palette.ts';
import { label } from './words.ts';
import { xmlCharacters, xmlText } from './xml-text.ts';

use([SVGRenderer]);

export interface PictureOptions {
  widthPixels: number;
  /** In place of the chart's own. */
  title?: string;
  /** Below the title, such as: emulated. */
  note?: string | null;
  palette?: Palette;
}

/** The first is in every PNG; Verdana is as wide. */
const fontFamily = 'DejaVu Sans, Verdana, sans-serif';
const [marginPixels, titlePixels, notePixels] = [16, 17, 12];
const lineFactor = 1.45;

/** Its letters are wider than those that ECharts reckons with where nothing measures text. */
const averageWidth = 0.6;
const wide =
  /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const narrow = /[ .,:;'|!()[\]{}ijlt/fr-]/;
const widthOf = (character: string): number =>
  wide.test(character) ? 1 : narrow.test(character) ? 0.36 : averageWidth + 0.02;

function textWidth(text: string, fontPixels: number): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width * fontPixels;
}

setPlatformAPI({
  measureText: (text, font) => ({
    width: textWidth(text, Number(/([\d.]+)px/.exec(font ?? '')?.[1] ?? 12)),
  }),
});

/** Lines of words that are not longer than so many pixels. */
function wrapped(text: string, fontPixels: number, widthPixels: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && textWidth(longer, fontPixels) <= widthPixels) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

type Zoom = { type?: string };

/** Nobody can point at a picture, or zoom into it. */
function stillOption({ option, heightPixels }: Chart) {
  const { tooltip: _, dataZoom, axisPointer: __, ...rest } = option;
  const hasSlider = [dataZoom ?? []].flat().some(({ type }: Zoom) => type === 'slider');
  return {
    option: { ...rest, animation: false, textStyle: { ...rest.textStyle, fontFamily } },
    heightPixels: heightPixels - (hasSlider ? sliderPixels : 0),
  };
}

function drawn(chart: Chart, widthPixels: number): { svg: string; heightPixels: number } {
  const { option, heightPixels } = stillOption(chart);
  const charted = init(null, null, { renderer: 'svg', ssr: true, width: widthPixels, height: heightPixels });
  try {
    charted.setOption(option);
    return { svg: charted.renderToSVGString(), heightPixels };
  } finally {
    charted.dispose();
  }
}

interface TextLine {
  text: string;
  fontPixels: number;
  fill: string;
}

export function chartSvg(
  chart: Chart,
  { widthPixels, title = chart.title, note = null, palette = light }: PictureOptions,
): string {
  const inner = widthPixels - 2 * marginPixels;
  const { svg, heightPixels } = drawn(chart, inner);
  const of = (text: string, fontPixels: number, fill: string): TextLine[] =>
    wrapped(label(text, 300), fontPixels, inner).map((line) => ({ text: line, fontPixels, fill }));
  const lines = [
    ...of(title, titlePixels, palette.ink),
    ...(note === null ? [] : of(note, notePixels, palette.faint)),
  ];
  let y = marginPixels;
  const texts = lines.map(({ text, fontPixels, fill }) => {
    y += fontPixels * lineFactor;
    return `<text x="${marginPixels}" y="${(y - fontPixels * 0.45).toFixed(1)}" font-size="${fontPixels}" font-family="${fontFamily}" fill="${fill}">${xmlText(text)}</text>`;
  });
  const top = Math.ceil(y + 8);
  const height = top + heightPixels + marginPixels;
  return xmlCharacters(
    [
      `<svg xmlns="http://www.w3.org/2000/svg" role="img" width="${widthPixels}" height="${height}" viewBox="0 0 ${widthPixels} ${height}">`,
      `<title>${xmlText(label(title, 300))}</title><desc>${xmlText(chart.description)}</desc>`,
      `<rect width="${widthPixels}" height="${height}" fill="${palette.background}"/>`,
      ...texts,
      `<g transform="translate(${marginPixels} ${top})">${svg}</g>`,
      '</svg>',
    ].join('\n'),
  );
}

/** What draws is large: it is read when the first picture is. */
let drawing: Promise<{ Resvg: typeof import('@resvg/resvg-wasm').Resvg; font: Uint8Array }> | null = null;

async function startDrawing() {
  const [{ initWasm, Resvg }, { wasmBase64, fontBase64 }] = await Promise.all([
    import('@resvg/resvg-wasm'),
    import('./generated/picture-assets.js'),
  ]);
  await initWasm(Buffer.from(wasmBase64, 'base64'));
  return { Resvg, font: new Uint8Array(Buffer.from(fontBase64, 'base64')) };
}

/** @param svg of `chartSvg`; @param scale pixels of the picture for each of the SVG. */
export async function chartPng(svg: string, { scale }: { scale: number } = { scale: 2 }): Promise<Buffer> {
  drawing ??= startDrawing();
  const { Resvg, font } = await drawing;
  const picture = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: scale },
    font: { fontBuffers: [font], defaultFontFamily: 'DejaVu Sans', sansSerifFamily: 'DejaVu Sans' },
  });
  try {
    const image = picture.render();
    const png = Buffer.from(image.asPng());
    image.free();
    return png;
  } finally {
    picture.free();
  }
}
