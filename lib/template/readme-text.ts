/** The page beside a plain template: what to put where, for people who use neither CDK nor our scripts. */
export const readmeText = (stack: string, zips: number): string => `# ${stack}, as a plain CloudFormation template

\`template.json\` needs no bootstrap. The code of its functions is in the ${zips} zip files beside it; a change of code changes a
file's name, and so the template.

1. Copy every file of this directory into a bucket of yours, in the region of the stack. The template goes there too: it is larger
   than CloudFormation takes from a command line.

       aws s3 cp . s3://BUCKET/PREFIX/ --recursive --exclude README.md

2. Create or update the stack from it. Parameters:

   | parameter | what |
   | --- | --- |
   | \`CodeBucket\` | the bucket |
   | \`CodePrefix\` | \`PREFIX/\`, or nothing if the files are at its top |
   | \`AlarmTopicArn\` | an SNS topic that alarms notify; nothing for none |

With the AWS command line:

    aws cloudformation create-change-set --stack-name ${stack} --change-set-name first --change-set-type CREATE \\
      --template-url https://BUCKET.s3.REGION.amazonaws.com/PREFIX/template.json --capabilities CAPABILITY_IAM \\
      --parameters ParameterKey=CodeBucket,ParameterValue=BUCKET ParameterKey=CodePrefix,ParameterValue=PREFIX/
    aws cloudformation wait change-set-create-complete --stack-name ${stack} --change-set-name first
    aws cloudformation execute-change-set --stack-name ${stack} --change-set-name first

For an update, the same with another \`--change-set-name\` and \`--change-set-type UPDATE\`. \`describe-change-set\` shows what it would change.

With Terraform, which sees a change of the template only if its URL changes, so a hash of the content is in the key:

    locals {
      files = "\${path.module}/hooklatch"
      names = { "template.json" = "template-\${filemd5("\${local.files}/template.json")}.json" }
    }

    resource "aws_s3_object" "hooklatch" {
      for_each = setsubtract(fileset(local.files, "*"), ["README.md"])
      bucket   = "BUCKET"
      key      = "PREFIX/\${lookup(local.names, each.value, each.value)}"
      source   = "\${local.files}/\${each.value}"

      # What the stack runs stays until the update has worked: a rollback needs it.
      lifecycle { create_before_destroy = true }
    }

    resource "aws_cloudformation_stack" "hooklatch" {
      name         = "${stack}"
      template_url = "https://BUCKET.s3.REGION.amazonaws.com/\${aws_s3_object.hooklatch["template.json"].key}"
      capabilities = ["CAPABILITY_IAM"]
      parameters   = { CodeBucket = "BUCKET", CodePrefix = "PREFIX/" }
    }

3. The stack's outputs have the URL of each source. Then set the signing secrets, as after any deployment:
   \`npx hooklatch secrets set SOURCE --stack ${stack}\`. Every other command works with \`--stack ${stack}\` as well.

The stack keeps its tables, bucket and secrets when it is deleted, unless the app said \`throwAway\`. A stack from CDK can be updated with
this template and the other way round: the names of the resources are the same.
`
