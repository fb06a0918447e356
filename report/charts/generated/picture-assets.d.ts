/** Made by tools/build-generated.mjs: what turns an SVG into a PNG, and the font of its text. */
export declare const wasmBase64: string;
export declare const fontBase64: string;
