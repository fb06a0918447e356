/** Made by tools/build-generated.mjs: the page's script and style, each in one piece. */
export declare const script: string;
export declare const style: string;
