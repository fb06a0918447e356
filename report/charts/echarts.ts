/** The parts of ECharts that our charts are made of, once for the page and for pictures; who draws registers its renderer. */
import { BarChart, CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import {
  AriaComponent,
  AxisPointerComponent,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
} from 'echarts/components';
import { init, setPlatformAPI, use } from 'echarts/core';

use([
  ...[LineChart, BarChart, ScatterChart, CustomChart],
  ...[GridComponent, TitleComponent, LegendComponent, MarkLineComponent, MarkAreaComponent],
  ...[TooltipComponent, AxisPointerComponent, DataZoomComponent, AriaComponent],
]);

export { init, setPlatformAPI, use };
