import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { BY_FILTER, METRIC_DIMENSIONS, METRICS_NAMESPACE } from '../../functions/contract/metrics.ts'
import type { NodeFunction } from './node-function.ts'

/**
 * Counts in the lines of a function what they have no directive for. Lines that have one, such as those of an earlier version, count
 * by it and are passed over here: during a deployment nothing is counted twice. The filters are there before the function is.
 */
export const countLines = (counted: NodeFunction): void => {
  const { function: writer } = counted
  for (const name of BY_FILTER) {
    const filter = new MetricFilter(counted, `Count${name}`, {
      logGroup: writer.logGroup,
      filterPattern: FilterPattern.all(
        FilterPattern.numberValue(`$.${name}`, '>', 0),
        FilterPattern.notExists('$._aws.CloudWatchMetrics'),
      ),
      metricNamespace: METRICS_NAMESPACE,
      metricName: name,
      metricValue: `$.${name}`,
      dimensions: Object.fromEntries(METRIC_DIMENSIONS.map(dimension => [dimension, `$.${dimension}`])),
    })
    writer.node.addDependency(filter)
  }
}
