import { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { FunctionUrlAuthType, type IFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { PUBLISH_ROUTE } from '../../functions/contract/routes.ts'
import type { Front, FrontProps } from './front.ts'

/**
 * Function URLs: no API Gateway, and nothing to pay for a request. Nothing in front of the function either: no throttle, no web
 * ACL, no domain, no access log. CDK grants both permissions that such a URL needs, for the URL and for the function behind it.
 */
export const urlFront = (_scope: Construct, { handler, publish }: FrontProps): Front => {
  const receive = handler.addFunctionUrl({ authType: FunctionUrlAuthType.NONE })
  const publisher = publish?.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM })
  return {
    // The URL ends with a slash.
    urlOf: path => `${(isPublish(path) ? publisher : receive)?.url}${path.slice(1)}`,
    arnOf: path => {
      throw new Error(`${path}: a function URL has one permission for all of its paths`)
    },
    ...(publisher && { grantPublish: grantee => publisher.grantInvokeUrl(grantee) }),
    domain: undefined,
    get stageArn(): string {
      throw new Error("A function URL takes no web ACL: use api: 'rest'.")
    },
    requests: urlMetric(handler, 'UrlRequestCount'),
    serverErrors: urlMetric(handler, 'Url5xxCount'),
  }
}

const isPublish = (path: string): boolean => path.startsWith(PUBLISH_ROUTE.replace('{source}', ''))

const urlMetric = (handler: IFunction, metricName: string): Metric =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { FunctionName: handler.functionName },
    statistic: 'Sum',
  })
